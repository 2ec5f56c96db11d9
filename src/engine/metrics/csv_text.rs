//! Text of CSV files: fields are quoted where needed, lines end in a line feed, and no text is a
//! formula.

use std::borrow::Cow;

/// The lines of the given records.
pub fn csv_text<R, F>(records: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = F>,
    F: AsRef<str>,
{
    let mut writer = csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    for record in records {
        for field in record {
            let written = writer.write_field(as_text(field.as_ref()).as_bytes());
            written.expect("writing to memory can't fail");
        }
        let ended = writer.write_record(None::<&[u8]>);
        ended.expect("writing to memory can't fail");
    }
    let bytes = writer.into_inner().expect("writing to memory can't fail");
    String::from_utf8(bytes).expect("all fields are text")
}

/// The field with a `'` before what a spreadsheet would take for a formula. Numbers stay.
fn as_text(field: &str) -> Cow<'_, str> {
    let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && field.parse::<f64>().is_err() {
        Cow::Owned(format!("'{field}"))
    } else {
        Cow::Borrowed(field)
    }
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
        let records = [["=cmd|calc", "-1.5", "+x"], ["-inf", "@a", "\tb"]];
        assert_eq!(csv_text(records), "'=cmd|calc,-1.5,'+x\n-inf,'@a,'\tb\n");
        assert_eq!(csv_field(Some(7.0)), "7");
        assert_eq!(csv_field(None), "");
    }
}
