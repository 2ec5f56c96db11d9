//! Text of CSV files: fields are quoted where needed, lines end in a line feed.

/// The lines of the given records.
pub fn csv_text<R, F>(records: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = F>,
    F: AsRef<[u8]>,
{
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    for record in records {
        let written = writer.write_record(record);
        written.expect("writing to memory can't fail");
    }
    let bytes = writer.into_inner().expect("writing to memory can't fail");
    String::from_utf8(bytes).expect("all fields are text")
}

/// A figure as a field; empty if it was not measured.
pub fn csv_field(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_needed() {
        let records = [["run", "a, \"b\""], ["1.5", ""]];
        assert_eq!(csv_text(records), "run,\"a, \"\"b\"\"\"\n1.5,\n");
        assert_eq!(csv_field(Some(7.0)), "7");
        assert_eq!(csv_field(None), "");
    }
}
