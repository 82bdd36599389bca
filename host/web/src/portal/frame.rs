//! What stands around every page of the portal: who is signed in, and the way to the other pages.

/// The frame of one page.
pub(super) struct Frame {
    /// The customer's e-mail.
    pub(super) viewer: String,
    /// The page's own entry in the rail.
    pub(super) here: &'static str,
    /// What every form carries.
    pub(super) csrf: String,
}

/// Links that belong together.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) links: &'static [Link],
}

/// An entry of the rail.
pub(super) struct Link {
    pub(super) path: &'static str,
    pub(super) label: &'static str,
    /// A path in a box of sixteen.
    pub(super) icon: &'static str,
}

const RAIL: &[Group] = &[
    Group {
        title: "",
        links: &[
            Link {
                path: "/",
                label: "Overview",
                icon: "M2.5 2.5h4.5v4.5h-4.5zM9 2.5h4.5v4.5h-4.5zM2.5 9h4.5v4.5h-4.5zM9 9h4.5v4.5h-4.5z",
            },
            Link {
                path: "/websites",
                label: "Websites",
                icon: "M2.5 8a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M2.5 8h11M8 2.5c3.2 3.4 3.2 7.6 0 11M8 2.5c-3.2 3.4-3.2 7.6 0 11",
            },
            Link { path: "/usage", label: "Usage", icon: "M2.5 13.5h11M4.5 11v-3M8 11v-7M11.5 11v-5" },
            Link { path: "/activity", label: "Activity", icon: "M2 8.5h2.5l2-5.5 3 10 2-4.5h2.5" },
            Link { path: "/jobs", label: "Jobs", icon: "M8 2.5a5.5 5.5 0 1 1-5.5 5.5M8 5v3.2l2.2 1.6M2.5 3v2.5h2.5" },
        ],
    },
    Group {
        title: "Access",
        links: &[
            Link { path: "/apps", label: "Apps", icon: "M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5v2.5" },
            Link {
                path: "/tokens",
                label: "Tokens",
                icon: "M8.2 7.8l5.3-5.3M11.2 4.8l1.8 1.8M9 10.2a3.2 3.2 0 1 1-6.4 0a3.2 3.2 0 0 1 6.4 0z",
            },
            Link {
                path: "/shares",
                label: "Shares",
                icon: "M11 5.5a1.8 1.8 0 1 0 0-3.6a1.8 1.8 0 0 0 0 3.6zM5 9.8a1.8 1.8 0 1 0 0-3.6a1.8 1.8 0 0 0 0 3.6zM11 14.1a1.8 1.8 0 1 0 0-3.6a1.8 1.8 0 0 0 0 3.6zM6.6 7.1l2.8-2.3M6.6 8.9l2.8 2.3",
            },
            Link {
                path: "/credits",
                label: "Credits",
                icon: "M13.5 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 0 1 11 0zM8 5.2v5.6M5.8 8h4.4",
            },
        ],
    },
    Group {
        title: "Build",
        links: &[
            Link {
                path: "/catalog",
                label: "Catalog",
                icon: "M2.5 3.5h4a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 0-1.5-1.5h-4zM13.5 3.5h-4a1.5 1.5 0 0 0-1.5 1.5v8a1.5 1.5 0 0 1 1.5-1.5h4z",
            },
            Link {
                path: "/reference",
                label: "API reference",
                icon: "M5.5 4.5l-3.5 3.5 3.5 3.5M10.5 4.5l3.5 3.5-3.5 3.5",
            },
        ],
    },
];

impl Frame {
    /// The rail.
    pub(super) fn rail(&self) -> &'static [Group] {
        RAIL
    }
}
