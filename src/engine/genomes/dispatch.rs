//! Calls what a genome does by its kind. Names are those of the module that lists the kinds.

/// Generates the registry of genome parameters and the enum of all genomes from one list.
macro_rules! genomes {
    ($( $(#[doc = $help:expr])* $word:literal => $variant:ident($genome:ty) ),+ $(,)?) => {
        registry! {
            /// A kind of genome, with its parameters.
            pub enum GenomeConfig {
                $( $(#[doc = $help])* $word => $variant(<$genome as Genome>::Config), )+
            }
            else Custom(dyn CustomGenomeParams)
        }

        /// A genome of any kind; a population is of one kind.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub enum AnyGenome {
            $( $(#[doc = $help])* #[serde(rename = $word)] $variant($genome), )+
            /// A genome of another crate.
            #[serde(rename = "custom")] Custom(custom::CustomGenome),
        }

        impl GenomeConfig {
            /// A random genome.
            pub fn random(&self, io_spec: &IoSpec, rng: &mut Stream) -> AnyGenome {
                match self {
                    $( Self::$variant(config) => AnyGenome::$variant(<$genome>::random(config, io_spec, rng)), )+
                    Self::Custom(config) => AnyGenome::Custom(config.random(io_spec, rng)),
                }
            }

            /// The offspring of two parents of this kind before mutation, as if they were equally fit.
            pub fn crossover(&self, one: &AnyGenome, other: &AnyGenome, rng: &mut Stream) -> AnyGenome {
                self.crossover_ranked([one, other], Relative::Equal, rng)
            }

            /// The offspring of two parents of this kind before mutation. `rank` is that of the first.
            pub fn crossover_ranked(&self, parents: [&AnyGenome; 2], rank: Relative, rng: &mut Stream) -> AnyGenome {
                match (self, parents) {
                    $( (Self::$variant(config), [AnyGenome::$variant(one), AnyGenome::$variant(other)]) => {
                        AnyGenome::$variant(one.crossover_ranked(other, rank, config, rng))
                    } )+
                    (Self::Custom(config), [AnyGenome::Custom(one), AnyGenome::Custom(other)]) => {
                        AnyGenome::Custom(config.crossover_ranked([one, other], rank, rng))
                    }
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// How different two genomes of this kind are, from 0.
            pub fn distance(&self, one: &AnyGenome, other: &AnyGenome) -> f64 {
                match (self, one, other) {
                    $( (Self::$variant(config), AnyGenome::$variant(one), AnyGenome::$variant(other)) => one.distance(other, config), )+
                    (Self::Custom(config), AnyGenome::Custom(one), AnyGenome::Custom(other)) => config.distance(one, other),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Both offspring of two parents of this kind, the fitter parent first.
            pub fn crossover_both(&self, parents: [&AnyGenome; 2], rng: &mut Stream) -> [AnyGenome; 2] {
                match (self, parents) {
                    $( (Self::$variant(config), [AnyGenome::$variant(one), AnyGenome::$variant(other)]) => {
                        one.crossover_both(other, config, rng).map(AnyGenome::$variant)
                    } )+
                    (Self::Custom(config), [AnyGenome::Custom(one), AnyGenome::Custom(other)]) => {
                        config.crossover_both([one, other], rng).map(AnyGenome::Custom)
                    }
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Mutates a genome of this kind.
            pub fn mutate(&self, genome: &mut AnyGenome, rng: &mut Stream) {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.mutate(config, rng), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.mutate(genome, rng),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Whether the outputs of genomes of this kind have gradients.
            pub fn has_sensitivities(&self) -> bool {
                match self {
                    $( Self::$variant(config) => <$genome>::has_sensitivities(config), )+
                    Self::Custom(config) => config.has_sensitivities(),
                }
            }

            /// How much the outputs change with each gene; `None` if they have no gradients.
            pub fn sensitivities(&self, genome: &AnyGenome, io_spec: &IoSpec, replay: &ReplayBuffer, gradients: GradientSum) -> Option<Vec<f32>> {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.sensitivities(config, io_spec, replay, gradients), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.sensitivities(genome, io_spec, replay, gradients),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Mutates a genome of this kind with steps multiplied by these factors.
            pub fn mutate_scaled(&self, genome: &mut AnyGenome, factors: &[f32], rng: &mut Stream) {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.mutate_scaled(config, factors, rng), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.mutate_scaled(genome, factors, rng),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Whether genomes of this kind can be trained on examples.
            pub fn is_trainable(&self) -> bool {
                match self {
                    $( Self::$variant(config) => <$genome>::is_trainable(config), )+
                    Self::Custom(config) => config.is_trainable(),
                }
            }

            /// Trains a genome of this kind for one epoch.
            pub fn train(&self, genome: &mut AnyGenome, training_set: &TrainingSet, rate: f64, rng: &mut Stream) {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.train(config, training_set, rate, rng), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.train(genome, training_set, rate, rng),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// The brain of a genome of this kind, after its lessons. `io_spec` must fit the genome.
            pub fn grow(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Box<dyn Brain> {
                match (self, &*self.learned(genome, io_spec)) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.grow(config, io_spec), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.grow(genome, io_spec),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// What the brain computes, after its lessons; `None` if it cannot be described.
            pub fn ops(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Option<OpGraph> {
                match (self, &*self.learned(genome, io_spec)) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.ops(config, io_spec), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.ops(genome, io_spec),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// The nodes and edges of the network of a genome of this kind.
            pub fn network_graph(&self, genome: &AnyGenome) -> NetworkGraph {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.network_graph(config), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.network_graph(genome),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// The value of every node of the network graph for these raw inputs, after its lessons; empty if nodes have no values.
            pub fn activations(&self, genome: &AnyGenome, io_spec: &IoSpec, raw_inputs: &[f32]) -> Vec<f32> {
                match (self, &*self.learned(genome, io_spec)) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.activations(config, io_spec, raw_inputs), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.activations(genome, io_spec, raw_inputs),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// What looks at all inputs at once: the nodes of the first layer if each is connected to all inputs, or tuples; else empty.
            pub fn first_layer(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Vec<FirstLayerNode> {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.first_layer(config, io_spec), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.first_layer(genome, io_spec),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// In which step of a gradual refinement each number of a genome begins to vary; empty if all vary from the beginning.
            pub fn refinement(&self, genome: &AnyGenome) -> Vec<u32> {
                match (self, genome) {
                    $( (Self::$variant(config), AnyGenome::$variant(genome)) => genome.refinement(config), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.refinement(genome),
                    _ => unreachable!("a population is of one kind"),
                }
            }

            /// Checks a genome read from a file.
            pub fn validate(&self, genome: &AnyGenome, io_spec: &IoSpec) -> Result<(), GenomeError> {
                let error = match (self, genome) {
                    $( (Self::$variant(_), AnyGenome::$variant(genome)) => genome.validation_error(io_spec), )+
                    (Self::Custom(config), AnyGenome::Custom(genome)) => config.validation_error(genome, io_spec),
                    _ => return Err(GenomeError::Kind),
                };
                error.map_or(Ok(()), |message| Err(GenomeError::Invalid(message)))
            }

            /// How many numbers a genome of this kind has; 0 if there can be no distribution of them.
            pub fn number_count(&self, io_spec: &IoSpec) -> usize {
                self.example(io_spec).numbers().len()
            }

            /// Whether some numbers of a genome of this kind begin to vary later than others in a gradual refinement.
            pub fn is_refined(&self, io_spec: &IoSpec) -> bool {
                self.refinement(&self.example(io_spec)).iter().any(|&step| step > 0)
            }

            fn example(&self, io_spec: &IoSpec) -> AnyGenome {
                let mut rng = stream(0, Purpose::Initialization, 0, 0);
                self.random(io_spec, &mut rng)
            }

            /// Problems of the parameters that involve more than one of them.
            pub fn problems(&self) -> Vec<ParamError> {
                match self {
                    $( Self::$variant(config) => <$genome>::problems(config), )+
                    Self::Custom(config) => config.problems(),
                }
            }

            /// Problems of the parameters for brains with these inputs and outputs.
            pub fn io_problems(&self, io_spec: &IoSpec) -> Vec<ParamError> {
                match self {
                    $( Self::$variant(config) => <$genome>::io_problems(config, io_spec), )+
                    Self::Custom(config) => config.io_problems(io_spec),
                }
            }
        }

        impl AnyGenome {
            /// Gives the genes that mutations have added their historical markings.
            pub fn number_new_genes(&mut self, innovations: &mut GenerationInnovations<'_>) {
                match self {
                    $( Self::$variant(genome) => genome.number_new_genes(innovations), )+
                    Self::Custom(genome) => genome.number_new_genes(innovations),
                }
            }

            /// The numbers that a distribution of genomes is over; empty if there can be none.
            pub fn numbers(&self) -> Vec<f32> {
                match self {
                    $( Self::$variant(genome) => genome.numbers(), )+
                    Self::Custom(genome) => genome.numbers(),
                }
            }

            /// Replaces the numbers of the genome by as many others.
            pub fn set_numbers(&mut self, numbers: &[f32]) {
                match self {
                    $( Self::$variant(genome) => genome.set_numbers(numbers), )+
                    Self::Custom(genome) => genome.set_numbers(numbers),
                }
            }

            /// The size of the network.
            pub fn topology(&self) -> Topology {
                match self {
                    $( Self::$variant(genome) => genome.topology(), )+
                    Self::Custom(genome) => genome.topology(),
                }
            }
        }
    };
}
pub(super) use genomes;
