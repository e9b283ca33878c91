use super::*;
pub(super) fn plan_prompt(request: &str, extra: &str) -> String {
    format!(
        "## Setting\ndate: 2026-11-21\nworking_directory: /tmp/off/w\nworkspace: /tmp/off/ws\nhome: /tmp/off/h\nos: linux\n\n## Tools\nglob {{root, pattern}}: x\nfind_files {{query}}: x\nread_file {{path}}: x\nwrite_file {{path, content}}: x\nshell {{command}}: x\n\n{extra}## Intent\n{request}\n\n## Request\n{request}"
    )
}
pub(super) fn ask(schema: &str, user: &str) -> Value {
    serde_json::from_str(&reply(schema, &[("system", "# Role: x"), ("user", user)])).expect("json")
}
