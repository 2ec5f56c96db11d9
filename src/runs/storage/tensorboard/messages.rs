//! The messages of TensorBoard's event files, with the fields of scalars
//! (github.com/tensorflow/tensorboard, `event.proto` and `summary.proto`).

use prost::Message;

/// `Event`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ScalarEvent {
    /// Seconds since 1970.
    #[prost(double, tag = "1")]
    pub(super) wall_time: f64,
    #[prost(int64, tag = "2")]
    pub(super) step: i64,
    /// In the first event of a file only.
    #[prost(string, optional, tag = "3")]
    pub(super) file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    pub(super) summary: Option<ScalarSummary>,
}

/// `Summary`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ScalarSummary {
    #[prost(message, repeated, tag = "1")]
    pub(super) value: Vec<ScalarValue>,
}

/// `Summary.Value` of a scalar.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ScalarValue {
    #[prost(string, tag = "1")]
    pub(super) tag: String,
    /// Set even if it is 0.
    #[prost(float, optional, tag = "2")]
    pub(super) simple_value: Option<f32>,
}
