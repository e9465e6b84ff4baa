//! What people get: every exporter on three of the samples, as files to read.

use retap_formats::{EXPORTERS, Expect};

use crate::{corpus, exported};

#[test]
fn tests_of_three_samples() {
    for sample in ["notes-unnamed-tag", "notes-undo-restore", "flashcards"] {
        let trace = corpus::sample(sample);
        for exporter in EXPORTERS {
            let text = match exported(&trace, exporter.name, Expect::NoCrash) {
                Ok(exported) => {
                    let warnings = exported.warnings.iter().map(|warning| format!("\nwarning: {warning}"));
                    exported.text + &warnings.collect::<Vec<_>>().concat()
                }
                Err(error) => format!("error: {error}"),
            };
            insta::assert_snapshot!(format!("{sample}.{}", exporter.name), text);
        }
    }
}
