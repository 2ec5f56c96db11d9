//! One list per kind of part: from it come the serde enum, the names, `all()` for menus and conformance tests, and the
//! dispatch from what was written to what runs. It knows no particular part.

/// Declares the enum of all parts of one kind and `$with!`, which matches it once and goes on with the part's own type.
///
/// The first argument is a dollar sign, which the inner macro needs and an outer one can't write.
macro_rules! registry {
    (
        ($d:tt)
        $(#[doc = $about:expr])*
        pub enum $name:ident, $with:ident {
            $( $(#[doc = $help:expr])* $word:literal => $variant:ident($config:ty) ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum $name { $( $(#[doc = $help])* #[serde(rename = $word)] $variant($config), )+ }

        impl $name {
            /// Every registered part in its default setting.
            pub fn all() -> Vec<Self> {
                vec![$( Self::$variant(<$config>::default()) ),+]
            }

            /// The names by which preset files call the parts.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The name by which preset files call this part.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $word ),+ }
            }

            /// The part's description: the first paragraph of its documentation.
            pub fn about(&self) -> &'static str {
                match self { $( Self::$variant(_) => concat!($($help),*).trim_ascii() ),+ }
            }

            /// The part called `name`, in its default setting.
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

            fn set(&mut self, key: &str, text: &str) -> Result<(), $crate::params::Problem> {
                match self { $( Self::$variant(config) => config.set(key, text) ),+ }
            }

            fn read(&mut self, part: $crate::params::Part<'_>, problems: &mut Vec<$crate::params::Problem>) {
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
