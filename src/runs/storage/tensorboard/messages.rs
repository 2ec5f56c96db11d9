//! The messages of TensorBoard's event files, with the fields of scalars and of hyperparameters
//! (github.com/tensorflow/tensorboard, `event.proto`, `summary.proto`, and `plugin_data.proto` of
//! the plugin `hparams`).

use std::collections::BTreeMap;

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

impl ScalarEvent {
    /// Whether it is that of a row: of all events, it has a summary without a plugin.
    pub(super) fn is_row(&self) -> bool {
        let summary = self.summary.as_ref();
        summary.is_some_and(|summary| summary.value.iter().all(|it| it.metadata.is_none()))
    }
}

/// `Summary`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ScalarSummary {
    #[prost(message, repeated, tag = "1")]
    pub(super) value: Vec<ScalarValue>,
}

/// `Summary.Value` of a scalar, or of a plugin.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ScalarValue {
    #[prost(string, tag = "1")]
    pub(super) tag: String,
    /// Set even if it is 0.
    #[prost(float, optional, tag = "2")]
    pub(super) simple_value: Option<f32>,
    /// For a plugin. TensorBoard adds the tensor that belongs to it.
    #[prost(message, optional, tag = "9")]
    pub(super) metadata: Option<SummaryMetadata>,
}

/// `SummaryMetadata`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SummaryMetadata {
    #[prost(message, optional, tag = "1")]
    pub(super) plugin_data: Option<PluginData>,
}

/// `SummaryMetadata.PluginData` of the plugin `hparams`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct PluginData {
    #[prost(string, tag = "1")]
    pub(super) plugin_name: String,
    /// A message in the message.
    #[prost(bytes = "vec", tag = "2")]
    pub(super) content: Vec<u8>,
}

/// `HParamsPluginData` of version 0 with the start of a session.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SessionData {
    #[prost(message, optional, tag = "3")]
    pub(super) session_start_info: Option<SessionStart>,
}

/// `SessionStartInfo`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct SessionStart {
    #[prost(btree_map = "string, message", tag = "1")]
    pub(super) hparams: BTreeMap<String, Hyperparameter>,
}

/// `google.protobuf.Value` with the kinds that a parameter has, of which it is one.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Hyperparameter {
    #[prost(double, optional, tag = "2")]
    pub(super) number: Option<f64>,
    #[prost(string, optional, tag = "3")]
    pub(super) text: Option<String>,
    #[prost(bool, optional, tag = "4")]
    pub(super) flag: Option<bool>,
}

impl Hyperparameter {
    /// The value of a parameter as a preset has it.
    pub(super) fn parse(text: &str) -> Self {
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        let flag = text.parse().ok();
        let is_text = number.is_none() && flag.is_none();
        Self {
            number,
            text: is_text.then(|| text.trim_matches('"').to_owned()),
            flag,
        }
    }
}
