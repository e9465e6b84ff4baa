//! What is read of app files: a zip archive with a manifest in it. The manifest must be text: what is installed here
//! is only listed, so test files do, and compiled manifests are refused.

mod zip;

use regex_lite::Regex;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) package: String,
    pub(crate) version_code: u32,
    pub(crate) version_name: String,
}

/// Why a file is no app.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ApkError {
    #[error("INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk: the file is not a zip archive")]
    NotZip,
    #[error(
        "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION: Failed to parse base.apk: there is no AndroidManifest.xml in it"
    )]
    NoManifest,
    #[error("INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME: the manifest names no package, or is not plain text")]
    NoPackage,
}

/// Reads the manifest of an app file.
pub(crate) fn manifest(file: &[u8]) -> Result<Manifest, ApkError> {
    let bytes = zip::entry(file, "AndroidManifest.xml")?;
    let text = String::from_utf8_lossy(&bytes);
    let attribute = |name: &str, value: &str| {
        let pattern = Regex::new(&format!("<manifest\\b[^>]*\\b{name}=[\"']({value})[\"']")).ok()?;
        Some(pattern.captures(&text)?[1].to_owned())
    };
    Ok(Manifest {
        package: attribute("package", "[A-Za-z0-9._]+").ok_or(ApkError::NoPackage)?,
        version_code: attribute("versionCode", "[0-9]+").and_then(|code| code.parse().ok()).unwrap_or(0),
        version_name: attribute("versionName", "[^\"']*").unwrap_or_default(),
    })
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
    fn a_manifest_is_read() {
        let text = r#"<?xml version="1.0"?>
            <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.example.small"
                android:versionCode="7" android:versionName="1.2">
              <application><activity android:name=".Main"/></application>
            </manifest>"#;
        let read = manifest(&archive("AndroidManifest.xml", text.as_bytes())).unwrap();
        assert_eq!((&*read.package, read.version_code, &*read.version_name), ("com.example.small", 7, "1.2"));
    }

    #[test]
    fn what_is_no_app_is_refused() {
        assert_eq!(manifest(b"hello"), Err(ApkError::NotZip));
        assert_eq!(manifest(&archive("other", b"x")), Err(ApkError::NoManifest));
        for content in [&b"<manifest/>"[..], b"<manifest package=\"a b\"/>", b"\x03\0\x08\0 package"] {
            assert_eq!(manifest(&archive("AndroidManifest.xml", content)), Err(ApkError::NoPackage));
        }
    }

    proptest::proptest! {
        #[test]
        fn no_file_is_too_odd(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400)) {
            let _ = manifest(&bytes);
            let _ = manifest(&archive("AndroidManifest.xml", &bytes));
        }
    }
}
