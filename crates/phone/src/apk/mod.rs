//! What is read of app files: a zip archive with a manifest in it, compiled or as text.

mod axml;
mod text;
mod zip;

/// What a manifest says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Manifest {
    pub(crate) package: String,
    pub(crate) version_code: u32,
    pub(crate) version_name: String,
    pub(crate) min_sdk: u32,
    pub(crate) target_sdk: u32,
    /// Full names; the one that is launched stands first.
    pub(crate) activities: Vec<String>,
    pub(crate) permissions: Vec<String>,
}

/// Why a file is no app.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApkError {
    #[error("the file is not a zip archive")]
    NotZip,
    #[error("there is no AndroidManifest.xml in it")]
    NoManifest,
    #[error("the manifest is damaged: {0}")]
    Damaged(&'static str),
    #[error("the manifest names no package")]
    NoPackage,
}

/// An element of a manifest as it is read: its name, depth and attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Element {
    name: String,
    depth: usize,
    attributes: Vec<(String, String)>,
}

impl Element {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reads the manifest of an app file.
pub(crate) fn manifest(file: &[u8]) -> Result<Manifest, ApkError> {
    let bytes = zip::entry(file, "AndroidManifest.xml")?;
    let elements = if axml::is_compiled(&bytes) { axml::elements(&bytes)? } else { text::elements(&bytes) };
    gather(&elements)
}

fn gather(elements: &[Element]) -> Result<Manifest, ApkError> {
    let mut manifest = Manifest { min_sdk: 1, target_sdk: 1, ..Manifest::default() };
    let mut launched = None;
    let number = |element: &Element, name: &str| element.get(name).and_then(|value| value.parse().ok());
    for element in elements {
        match &*element.name {
            "manifest" => {
                element.get("package").unwrap_or_default().clone_into(&mut manifest.package);
                manifest.version_code = number(element, "versionCode").unwrap_or(0);
                element.get("versionName").unwrap_or_default().clone_into(&mut manifest.version_name);
            }
            "uses-sdk" => {
                manifest.min_sdk = number(element, "minSdkVersion").unwrap_or(1);
                manifest.target_sdk = number(element, "targetSdkVersion").unwrap_or(manifest.min_sdk);
            }
            "uses-permission" => manifest.permissions.extend(element.get("name").map(str::to_owned)),
            "activity" | "activity-alias" => {
                let name = element.get("name").unwrap_or_default();
                let full = if name.starts_with('.') {
                    format!("{}{name}", manifest.package)
                } else if name.contains('.') {
                    name.to_owned()
                } else {
                    format!("{}.{name}", manifest.package)
                };
                manifest.activities.push(full);
            }
            "category" if element.get("name") == Some("android.intent.category.LAUNCHER") => {
                launched = launched.or(manifest.activities.len().checked_sub(1));
            }
            _ => {}
        }
    }
    if let Some(launched) = launched {
        manifest.activities.swap(0, launched);
    }
    let named = !manifest.package.is_empty()
        && manifest.package.chars().all(|letter| letter.is_ascii_alphanumeric() || "._".contains(letter));
    if named { Ok(manifest) } else { Err(ApkError::NoPackage) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An archive with one stored file in it.
    pub(crate) fn archive(name: &str, content: &[u8]) -> Vec<u8> {
        let (size, length) = (u32::try_from(content.len()).unwrap(), u16::try_from(name.len()).unwrap());
        let sizes = [[0; 4], size.to_le_bytes(), size.to_le_bytes()].concat();
        let mut file =
            [b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0".as_slice(), &sizes, &length.to_le_bytes(), &[0; 2]].concat();
        file.extend_from_slice(name.as_bytes());
        file.extend_from_slice(content);
        let directory = u32::try_from(file.len()).unwrap();
        let mut central = b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0".to_vec();
        central.extend_from_slice(&sizes);
        central.extend_from_slice(&length.to_le_bytes());
        central.extend_from_slice(&[0; 16]);
        central.extend_from_slice(name.as_bytes());
        let extent = u32::try_from(central.len()).unwrap();
        file.extend_from_slice(&central);
        file.extend_from_slice(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
        file.extend_from_slice(&extent.to_le_bytes());
        file.extend_from_slice(&directory.to_le_bytes());
        file.extend_from_slice(&[0; 2]);
        file
    }

    #[test]
    fn a_manifest_as_text_is_read() {
        let text = r#"<?xml version="1.0"?>
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.small"
                android:versionCode="7" android:versionName="1.2">
              <uses-sdk android:minSdkVersion="21" android:targetSdkVersion="33"/>
              <uses-permission android:name="android.permission.CAMERA"/>
              <application><activity android:name=".Other"/>
                <activity android:name=".Main"><intent-filter>
                  <category android:name="android.intent.category.LAUNCHER"/></intent-filter></activity>
              </application>
            </manifest>"#;
        let read = manifest(&archive("AndroidManifest.xml", text.as_bytes())).unwrap();
        assert_eq!((&*read.package, read.version_code, &*read.version_name), ("com.example.small", 7, "1.2"));
        assert_eq!((read.min_sdk, read.target_sdk), (21, 33));
        assert_eq!(read.activities, ["com.example.small.Main", "com.example.small.Other"]);
        assert_eq!(read.permissions, ["android.permission.CAMERA"]);
    }

    #[test]
    fn what_is_no_app_is_refused() {
        assert_eq!(manifest(b"hello"), Err(ApkError::NotZip));
        assert_eq!(manifest(&archive("other", b"x")), Err(ApkError::NoManifest));
        assert_eq!(manifest(&archive("AndroidManifest.xml", b"<manifest/>")), Err(ApkError::NoPackage));
    }

    proptest::proptest! {
        #[test]
        fn no_file_is_too_odd(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400), compiled: bool) {
            let mut content = bytes;
            if compiled && content.len() > 8 {
                content[..4].copy_from_slice(&[3, 0, 8, 0]);
            }
            let _ = manifest(&content);
            let _ = manifest(&archive("AndroidManifest.xml", &content));
        }
    }
}
