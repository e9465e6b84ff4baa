//! `settings get`: one value, or nothing.

/// Reads the value. None when it was never set, or could not be read.
pub fn setting(text: &str) -> Option<String> {
    // A warning of the runtime may come first; the value is the last line.
    let value = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    let failed = value == "null"
        || value.starts_with("Exception")
        || value.starts_with("Error")
        || value.starts_with("at ")
        || value.contains("Exception:")
        || value.starts_with("cmd: ")
        || value.contains("not found");
    (!failed).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_from_their_absence() {
        assert_eq!(setting("1.0\r\n").as_deref(), Some("1.0"));
        assert_eq!(setting("WARNING: linker: x\n0\n").as_deref(), Some("0"));
        for nothing in [
            "",
            "null\n",
            "\n",
            "Error while accessing settings provider",
            "/system/bin/sh: settings: not found",
        ] {
            assert_eq!(setting(nothing), None, "{nothing}");
        }
    }
}
