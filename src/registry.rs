//! The `registry!` macro: one list per kind of component generates the serde enum, the names, `all()` for menus and conformance
//! tests, and the dispatch to the component's own type.

/// Declares the enum of all components of one kind and `$with!`, which matches it once and runs code with the component's type.
///
/// The first argument is a dollar sign, which the outer macro can't write for the inner one.
macro_rules! registry {
    (
        ($d:tt)
        $(#[doc = $about:expr])*
        pub enum $name:ident, $with:ident {
            $( $(#[doc = $help:expr])* $word:literal => $variant:ident($config:ty) ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub enum $name { $( $(#[doc = $help])* #[serde(rename = $word)] $variant($config), )+ }

        impl $name {
            /// Every registered component with default parameters.
            pub fn all() -> Vec<Self> {
                vec![$( Self::$variant(<$config>::default()) ),+]
            }

            /// The names of the components in preset files.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The name of this component in preset files.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $word ),+ }
            }

            /// The description: the first paragraph of the documentation.
            pub fn about(&self) -> &'static str {
                match self { $( Self::$variant(_) => concat!($($help),*).trim_ascii() ),+ }
            }

            /// The component called `name`, with default parameters.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $( $word => Some(Self::$variant(<$config>::default())), )+
                    _ => None,
                }
            }
        }

        impl $crate::params::Params for $name {
            fn visit(&self, path: &str, out: &mut Vec<$crate::params::Param>) {
                match self { $( Self::$variant(config) => config.visit(path, out) ),+ }
            }

            fn set(&mut self, key: &str, text: &str) -> Result<(), $crate::params::ParamError> {
                match self { $( Self::$variant(config) => config.set(key, text) ),+ }
            }

            fn read(&mut self, part: $crate::params::RonSource<'_>, problems: &mut Vec<$crate::params::ParamError>) {
                let (name, inside) = part.variant();
                match Self::named(name) {
                    Some(wanted) => *self = wanted,
                    None => {
                        let hint = $crate::params::suggest(name, Self::NAMES);
                        problems.push(part.problem(format!("there is no `{name}`; {hint}")));
                        return;
                    }
                }
                match self { $( Self::$variant(config) => config.read(inside, problems) ),+ }
            }
        }

        #[allow(unused_macros, reason = "some kinds are dispatched by hand")]
        macro_rules! $with {
            ($d config:expr, $d part:ident => $d body:expr) => {
                match $d config { $( $name::$variant($d part) => $d body ),+ }
            };
        }
        #[allow(unused_imports, reason = "some kinds are dispatched by hand")]
        pub(crate) use $with;
    };
}
pub(crate) use registry;
