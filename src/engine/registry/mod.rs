//! The `registry!` macro: one list per kind of component generates the serde enum, the names,
//! `all()` for menus and conformance tests, and the dispatch to the component's own type.

pub use self::custom::{CustomConfig, CustomPart, CustomParts};

mod custom;

/// Declares the enum of all components of one kind. `else` adds the variant of the components of
/// other crates, behind `dyn Trait`.
///
/// `enum Name: Trait` is an enum that dereferences to `dyn Trait`, with components of other crates.
/// `enum Name, with_name` declares `with_name!`, which matches the enum once and runs code with the
/// component's type; the first argument is then a dollar sign, which the outer macro can't write
/// for the inner one.
macro_rules! registry {
    (
        $(#[doc = $about:expr])*
        pub enum $name:ident: $part:ident {
            $( $(#[doc = $help:expr])* $word:literal => $variant:ident($config:ty) ),+ $(,)?
        }
    ) => {
        $crate::registry::registry! {
            $(#[doc = $about])*
            pub enum $name { $( $(#[doc = $help])* $word => $variant($config) ),+ }
            else Custom(dyn $part)
        }

        impl std::ops::Deref for $name {
            type Target = dyn $part;

            fn deref(&self) -> &Self::Target {
                match self {
                    $( Self::$variant(config) => config, )+
                    Self::Custom(config) => &**config,
                }
            }
        }
    };

    (
        ($d:tt)
        $(#[doc = $about:expr])*
        pub enum $name:ident, $with:ident {
            $( $(#[doc = $help:expr])* $word:literal => $variant:ident($config:ty) ),+ $(,)?
        }
        else $custom:ident($of_others:ty)
    ) => {
        $crate::registry::registry! {
            $(#[doc = $about])*
            pub enum $name { $( $(#[doc = $help])* $word => $variant($config) ),+ }
            else $custom($of_others)
        }

        macro_rules! $with {
            ($d config:expr, $d part:ident => $d body:expr) => {
                match $d config {
                    $( $name::$variant($d part) => $d body, )+
                    $name::$custom($d part) => $d body,
                }
            };
        }
        pub(crate) use $with;
    };

    (
        $(#[doc = $about:expr])*
        pub enum $name:ident {
            $( $(#[doc = $help:expr])* $word:literal => $variant:ident($config:ty) ),+ $(,)?
        }
        $(else $custom:ident($of_others:ty))?
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub enum $name { $( $(#[doc = $help])* #[serde(rename = $word)] $variant($config), )+
            $( #[doc = "One of another \
                crate."] #[serde(untagged)] $custom($crate::registry::CustomConfig<$of_others>), )?
        }

        impl $name {
            /// Every registered component with default parameters.
            pub fn all() -> Vec<Self> {
                let built_in = [$( Self::$variant(<$config>::default()) ),+].into_iter();
                $(
                    let of_others = $crate::registry::CustomConfig::<$of_others>::all();
                    let built_in = built_in.chain(of_others.map(Self::$custom));
                )?
                built_in.collect()
            }

            /// The names of the built-in components in preset files.
            pub const NAMES: &'static [&'static str] = &[$($word),+];

            /// The names of all components in preset files.
            pub fn names() -> Vec<&'static str> {
                Self::all().iter().map(Self::name).collect()
            }

            /// The name of this component in preset files.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$variant(_) => $word, )+
                    $( Self::$custom(config) => config.name(), )?
                }
            }

            /// The description: the first paragraph of the documentation.
            pub fn about(&self) -> &'static str {
                match self {
                    $( Self::$variant(_) => concat!($($help),*).trim_ascii(), )+
                    $( Self::$custom(config) => config.about(), )?
                }
            }

            /// The component called `name`, with default parameters.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $( $word => Some(Self::$variant(<$config>::default())), )+
                    _ => {
                        $(
                            let part = $crate::registry::CustomConfig::<$of_others>::named(name);
                            if let Some(part) = part {
                                return Some(Self::$custom(part));
                            }
                        )?
                        None
                    }
                }
            }
        }

        impl $crate::params::Params for $name {
            fn visit(&self, path: &str, out: &mut Vec<$crate::params::Param>) {
                match self {
                    $( Self::$variant(config) => config.visit(path, out), )+
                    $( Self::$custom(config) => config.visit(path, out), )?
                }
            }

            fn set(&mut self, key: &str, text: &str) -> Result<(), $crate::params::ParamError> {
                match self {
                    $( Self::$variant(config) => config.set(key, text), )+
                    $( Self::$custom(config) => config.set(key, text), )?
                }
            }

            fn read(
                &mut self,
                part: $crate::params::RonSource<'_>,
                problems: &mut Vec<$crate::params::ParamError>,
            ) {
                let (name, inside) = part.variant();
                match Self::named(name) {
                    Some(_) if part.is_over_base() && self.name() == name => {}
                    Some(wanted) => *self = wanted,
                    None => {
                        let hint = $crate::params::suggest(name, &Self::names());
                        problems.push(part.problem(format!("there is no `{name}`; {hint}")));
                        return;
                    }
                }
                match self {
                    $( Self::$variant(config) => config.read(inside, problems), )+
                    $( Self::$custom(config) => config.read(inside, problems), )?
                }
            }
        }
    };
}
pub(crate) use registry;
