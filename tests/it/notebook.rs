//! The notebook of the examples draws the figure of an experiment.

use std::fs;

use serde_json::Value;

use crate::program::{folder, run};
use crate::python::python;
use crate::support::root;

/// Runs the notebook: with a kernel where there is one, else cell by cell in one namespace.
const RUNNER: &str = r#"
import json
try:
    import ipykernel, nbformat
    from nbclient import NotebookClient
    notebook = nbformat.read(sys.argv[1], as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            print(output.get("text", ""))
except ImportError:
    notebook = json.load(open(sys.argv[1]))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
"#;

fn notebook() -> std::path::PathBuf {
    root().join("examples/experiment.ipynb")
}

#[test]
fn the_notebook_draws_the_figure_of_an_experiment() {
    let folder = folder();
    let experiment = folder.path().join("experiment");
    let out = format!("--out={}", experiment.display());
    let (_, said, code) = run(
        folder.path(),
        &[&crate::experiment::WORDS[..], &[&out]].concat(),
    );
    assert_eq!(code, 0, "{said}");
    let figure = folder.path().join("figure.png");
    let environment = [
        ("FINCHES_EXPERIMENT", experiment.as_path()),
        ("FINCHES_FIGURE", figure.as_path()),
        ("MPLBACKEND", "Agg".as_ref()),
    ];
    let packages = ["pandas", "matplotlib"];
    let Some(printed) = python(&packages, RUNNER, &[&notebook()], &environment) else {
        return;
    };
    for preset in ["simple-nim-1to8-direct", "nim-2x2"] {
        // Once in the summary, once in the table of the last generation.
        assert_eq!(printed.matches(preset).count(), 2, "{printed}");
    }
    let bytes = fs::read(&figure).expect("the figure is drawn");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000);
}

#[test]
fn the_notebook_is_kept_without_outputs() {
    let text = fs::read_to_string(notebook()).expect("it is there");
    let notebook: Value = serde_json::from_str(&text).expect("it is JSON");
    let cells = notebook["cells"].as_array().expect("it has cells");
    let code = cells.iter().filter(|cell| cell["cell_type"] == "code");
    for cell in code {
        assert_eq!(cell["outputs"], serde_json::json!([]));
        assert_eq!(cell["execution_count"], Value::Null);
    }
    assert_eq!(notebook["nbformat"], 4);
}
