package retap.device;

/** The name of a widget of another app, as a tag: such apps have no resources here. */
record ForeignId(String name) {}
