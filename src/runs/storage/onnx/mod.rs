//! Networks as ONNX models, which other programs run (onnx.ai). A model computes what the network
//! computes, step by step.

use std::path::Path;

use prost::Message;

use finches_engine::genomes::op_graph::OpGraph;

use super::StorageError;
use super::files::write_named;

use self::messages::{
    MetadataEntry, OnnxGraph, OnnxModel, OperatorSet, TensorDimension, TensorShape, TensorType,
    ValueInfo, ValueType,
};
use self::nodes::{FLOAT, OnnxParts};

mod messages;
mod nodes;

/// The version of the format. Version 8 came with the operators of version 15.
const IR_VERSION: i64 = 8;

/// The version of the operators.
const OPERATORS: i64 = 17;

/// The name of the input.
const INPUT: &str = "position";

/// What a model says about itself.
#[derive(Clone, Debug, Default)]
pub struct ModelWords {
    /// What the model is.
    pub about: String,
    /// What each number of the input is.
    pub input: String,
    /// What the outputs are.
    pub output: String,
    /// Facts by their names.
    pub facts: Vec<(String, String)>,
}

/// Writes a network as an ONNX model.
pub fn write_onnx(path: &Path, graph: &OpGraph, words: &ModelWords) -> Result<(), StorageError> {
    write_named(path, &model(graph, words).encode_to_vec())
}

fn model(graph: &OpGraph, words: &ModelWords) -> OnnxModel {
    let outputs = graph.outputs();
    let output = if outputs == 1 { "value" } else { "outputs" };
    let OnnxParts { nodes, tensors } = OnnxParts::of(graph, INPUT, output);
    let facts = words.facts.iter().cloned();
    OnnxModel {
        ir_version: IR_VERSION,
        producer_name: "finches".to_owned(),
        producer_version: env!("CARGO_PKG_VERSION").to_owned(),
        doc_string: words.about.clone(),
        graph: Some(OnnxGraph {
            node: nodes,
            name: "network".to_owned(),
            initializer: tensors,
            input: vec![value_info(INPUT, graph.width(graph.input()), &words.input)],
            output: vec![value_info(output, outputs, &words.output)],
        }),
        opset_import: vec![OperatorSet {
            domain: String::new(),
            version: OPERATORS,
        }],
        metadata_props: facts
            .map(|(key, value)| MetadataEntry { key, value })
            .collect(),
    }
}

/// Rows of this width, as many as there are positions.
fn value_info(name: &str, width: usize, about: &str) -> ValueInfo {
    let batch = TensorDimension {
        dim_value: None,
        dim_param: Some("batch".to_owned()),
    };
    let width = TensorDimension {
        dim_value: Some(width as i64),
        dim_param: None,
    };
    ValueInfo {
        name: name.to_owned(),
        kind: Some(ValueType {
            tensor: Some(TensorType {
                elem_type: FLOAT,
                shape: Some(TensorShape {
                    dim: vec![batch, width],
                }),
            }),
        }),
        doc_string: about.to_owned(),
    }
}
