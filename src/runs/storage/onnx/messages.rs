//! The messages of the ONNX format, with the fields that a network of ours needs
//! (github.com/onnx/onnx, `onnx.proto`).

use prost::Message;

/// `ModelProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OnnxModel {
    #[prost(int64, tag = "1")]
    pub(super) ir_version: i64,
    #[prost(string, tag = "2")]
    pub(super) producer_name: String,
    #[prost(string, tag = "3")]
    pub(super) producer_version: String,
    #[prost(string, tag = "6")]
    pub(super) doc_string: String,
    #[prost(message, optional, tag = "7")]
    pub(super) graph: Option<OnnxGraph>,
    #[prost(message, repeated, tag = "8")]
    pub(super) opset_import: Vec<OperatorSet>,
    #[prost(message, repeated, tag = "14")]
    pub(super) metadata_props: Vec<MetadataEntry>,
}

/// `OperatorSetIdProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OperatorSet {
    #[prost(string, tag = "1")]
    pub(super) domain: String,
    #[prost(int64, tag = "2")]
    pub(super) version: i64,
}

/// `StringStringEntryProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct MetadataEntry {
    #[prost(string, tag = "1")]
    pub(super) key: String,
    #[prost(string, tag = "2")]
    pub(super) value: String,
}

/// `GraphProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OnnxGraph {
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<OnnxNode>,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) initializer: Vec<OnnxTensor>,
    #[prost(message, repeated, tag = "11")]
    pub(super) input: Vec<ValueInfo>,
    #[prost(message, repeated, tag = "12")]
    pub(super) output: Vec<ValueInfo>,
}

/// `NodeProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OnnxNode {
    #[prost(string, repeated, tag = "1")]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) op_type: String,
    #[prost(message, repeated, tag = "5")]
    pub(super) attribute: Vec<OnnxAttribute>,
}

/// `AttributeProto` with a whole number.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OnnxAttribute {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(int64, optional, tag = "3")]
    pub(super) i: Option<i64>,
    /// `AttributeType`.
    #[prost(int32, tag = "20")]
    pub(super) kind: i32,
}

/// `TensorProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct OnnxTensor {
    #[prost(int64, repeated, tag = "1")]
    pub(super) dims: Vec<i64>,
    /// `DataType`.
    #[prost(int32, tag = "2")]
    pub(super) data_type: i32,
    #[prost(string, tag = "8")]
    pub(super) name: String,
    /// The numbers, the lowest byte first.
    #[prost(bytes = "vec", tag = "9")]
    pub(super) raw_data: Vec<u8>,
}

/// `ValueInfoProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueInfo {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(message, optional, tag = "2")]
    pub(super) kind: Option<ValueType>,
    #[prost(string, tag = "3")]
    pub(super) doc_string: String,
}

/// `TypeProto` of a tensor.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueType {
    #[prost(message, optional, tag = "1")]
    pub(super) tensor: Option<TensorType>,
}

/// `TypeProto.Tensor`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorType {
    /// `DataType`.
    #[prost(int32, tag = "1")]
    pub(super) elem_type: i32,
    #[prost(message, optional, tag = "2")]
    pub(super) shape: Option<TensorShape>,
}

/// `TensorShapeProto`.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorShape {
    #[prost(message, repeated, tag = "1")]
    pub(super) dim: Vec<TensorDimension>,
}

/// `TensorShapeProto.Dimension`: a length, or the name of one that is free.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorDimension {
    #[prost(int64, optional, tag = "1")]
    pub(super) dim_value: Option<i64>,
    #[prost(string, optional, tag = "2")]
    pub(super) dim_param: Option<String>,
}
