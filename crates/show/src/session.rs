//! A session, whatever its job is: what it is about, how far it is, what came of it, and what to do next.

use retap_job::overview::{BegunIn, JobOverview, SessionOverview, SessionState};
use serde::Serialize;

use crate::page::{TextLine, TextPage, Tone};
use crate::words::path;
use crate::{again, explore, reduce, replay, suite};

/// A session to be shown.
#[derive(Debug, Clone, Copy)]
pub struct ShownSession<'a>(pub &'a SessionOverview);

/// A session as data.
#[derive(Debug, Serialize)]
pub struct SessionData<'a> {
    command: &'static str,
    what: &'static str,
    #[serde(flatten)]
    session: &'a SessionOverview,
    next: Vec<String>,
}

impl<'a> ShownSession<'a> {
    /// For people.
    pub fn page(self) -> TextPage {
        let session = self.0;
        let mut page = TextPage::new();
        let name = match &session.job {
            JobOverview::Explore(_) => "exploration",
            JobOverview::Reduce(_) => "reduction",
            JobOverview::Suite(_) => "suite session",
            JobOverview::Replay(_) => "replays",
        };
        let line = TextLine::new().text(format!("{name} ")).toned(Tone::Strong, path(&session.session));
        let (tone, state) = state(session);
        page.add(line.text(": ").toned(tone, state).hanging(2));
        if let Some(package) = &session.package {
            let build = session.build.as_ref().map(|build| format!(", build {build}")).unwrap_or_default();
            page.fact("app", format!("{package}{build}"));
        }
        for (name, value) in plan(&session.job) {
            page.fact(name, value);
        }
        if let Some(platform) = &session.platform {
            page.fact("platform", platform);
        }
        page.gap();
        match &session.job {
            JobOverview::Explore(explored) => explore::show(&mut page, explored),
            JobOverview::Reduce(reduced) => reduce::show(&mut page, reduced, session.state),
            JobOverview::Suite(made) => suite::made(&mut page, made),
            JobOverview::Replay(replayed) => replay::show(&mut page, replayed),
        }
        damage(&mut page, &session.damage);
        again::next(&mut page, &self.next());
        page
    }

    /// For programs.
    pub fn data(self) -> SessionData<'a> {
        let next = self.next().into_iter().map(|(command, _)| command).collect();
        SessionData { command: "show", what: "session", session: self.0, next }
    }

    fn next(self) -> Vec<(String, &'static str)> {
        let session = self.0;
        let mut next = Vec::new();
        if session.state == SessionState::Stopped {
            let what = match session.begun {
                BegunIn::Unknown => "goes on, in the folder where it was begun",
                BegunIn::Here | BegunIn::Folder(_) => "goes on, and repeats nothing",
            };
            next.push((again::go_on(session), what));
        }
        if session.state == SessionState::Running {
            return next;
        }
        match &session.job {
            JobOverview::Explore(explored) => next.extend(explore::next(explored)),
            JobOverview::Reduce(reduced) => next.extend(reduce::next(reduced, &session.begun)),
            JobOverview::Suite(made) => next.extend(suite::next(made.suite.as_deref())),
            JobOverview::Replay(replayed) => next.extend(replay::next(replayed, &session.begun)),
        }
        next
    }
}

/// How far a session is.
pub(crate) fn state(session: &SessionOverview) -> (Tone, String) {
    match (session.state, session.process) {
        (SessionState::Finished, _) => (Tone::Good, "finished".to_owned()),
        (SessionState::Stopped, _) => (Tone::Bad, "stopped before its end".to_owned()),
        (SessionState::Running, Some(process)) => (
            Tone::Good,
            format!("running at this moment, as process {process}; this is what it has written so far"),
        ),
        (SessionState::Running, None) => {
            (Tone::Good, "running at this moment; this is what it has written so far".to_owned())
        }
    }
}

/// What was to be done.
pub(crate) fn plan(job: &JobOverview) -> Vec<(&'static str, String)> {
    match job {
        JobOverview::Explore(explored) => explore::plan(&explored.plan),
        JobOverview::Reduce(reduced) => reduce::plan(&reduced.plan),
        JobOverview::Suite(made) => suite::plan(&made.plan),
        JobOverview::Replay(replayed) => replay::plan(&replayed.plan),
    }
}

/// A device as it is written, and how many of them.
pub(crate) fn devices(device: &str, devices: u32) -> String {
    if devices == 1 { device.to_owned() } else { format!("{devices} x {device}") }
}

/// What could not be read.
pub(crate) fn damage(page: &mut TextPage, damage: &[String]) {
    if damage.is_empty() {
        return;
    }
    page.gap();
    for sentence in damage {
        let line = TextLine::new().toned(Tone::Bad, "could not be read:");
        page.add(line.text(format!(" {sentence}")).hanging(2));
    }
}
