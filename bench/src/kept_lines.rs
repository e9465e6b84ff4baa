//! A file of finished measurements, one in each line, to which more are added.

use std::fs::File;
use std::path::Path;

use anyhow::Context as _;
use serde::de::DeserializeOwned;

/// Opens a file in a folder, which is made if need be, and reads what stands in it. A last line that was cut off is
/// dropped; any other that cannot be read is an error that says what it should be.
pub(crate) fn open<T: DeserializeOwned>(
    folder: &Path,
    name: &str,
    what: &str,
) -> anyhow::Result<(File, Vec<T>)> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(name);
    let file = File::options().create(true).append(true).open(&path)?;
    let text = std::fs::read_to_string(&path)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}:{number} is no {what}", path.display()))
    };
    let lines = (1..).zip(text[..whole].lines()).map(read).collect::<anyhow::Result<_>>()?;
    Ok((file, lines))
}
