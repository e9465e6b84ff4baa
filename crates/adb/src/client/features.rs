//! What the server and a device can do together.

/// The features that both the server and the device have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Features(Vec<String>);

impl Features {
    /// Reads `shell_v2,cmd,stat_v2`.
    pub fn parse(text: &str) -> Self {
        // No device has as many as this: what comes after is noise.
        const MOST: usize = 256;
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        Self(words.take(MOST).map(str::to_owned).collect())
    }

    /// Whether there is such a feature.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|feature| feature == name)
    }

    /// Separate output and errors, and exit codes.
    pub fn shell_v2(&self) -> bool {
        self.has("shell_v2")
    }

    /// `cmd`, through which an app is installed without a copy of its file on the device.
    pub fn cmd(&self) -> bool {
        self.has("cmd")
    }

    /// Sizes of files beyond 4 GB, and errors when one is not there.
    pub fn stat_v2(&self) -> bool {
        self.has("stat_v2")
    }

    /// The same for lists of files.
    pub fn ls_v2(&self) -> bool {
        self.has("ls_v2")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_words() {
        let features = Features::parse("shell_v2, cmd,,abb_exec\n");
        assert!(features.shell_v2() && features.cmd() && features.has("abb_exec"));
        assert!(!features.stat_v2() && !features.has("shell") && !features.has(""));
    }
}
