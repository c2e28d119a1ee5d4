/** Editor against the product's server, started by `tests/designer_app/schemas/test_typescript.py`.
 *
 * Without the address that it names in DESIGNER_SERVER there is nothing to do. */

import { expect, test } from "vitest";

import { createApi } from "../src/api/client";
import { commitPipeline, createPipeline, forecastRun, openPipeline } from "../src/api/pipelines";
import { perform } from "../src/commands/registry";
import { setParameter } from "../src/graph/edits";
import { resolveConflict } from "../src/store/conflicts";
import { closeEditor, loadEditor } from "../src/store/editors";
import { selectStaleness } from "../src/store/selectors";
import { pipeline } from "./cases";
import { until } from "./server";

const base = process.env["DESIGNER_SERVER"];
const token = process.env["DESIGNER_TOKEN"] ?? "";

test.runIf(base)(
  "open, edit, save, run, cure, delete",
  async () => {
    const api = createApi({ base: base ?? "", token });
    const links = ["two.output -> whole.a"];
    const id = await createPipeline(api, pipeline(["two:constant", "whole:whole"], links));
    const editor = await loadEditor(api, id);
    expect(editor.state.targets.map((target) => target.name)).toContain("local");

    editor.dispatch((document, catalog) => setParameter(document, catalog, "two", "value", 2e9), {
      label: "Set Value",
    });
    await until(() => editor.state.problems[0]?.code === "0008");
    await until(() => editor.state.saveState === "saved");
    expect((await openPipeline(api, id)).document).toEqual(editor.state.document);

    const [problem] = editor.state.problems;
    perform(editor, "cure", { problem });
    await until(() => editor.state.problems.length === 0);
    expect(await editor.flush()).toBe(true);

    const runId = await editor.runs.submit({ name: "From the editor" });
    await until(() => editor.state.run?.connection === "ended", "the end of the run", 60);
    expect(editor.state.run?.id).toBe(runId);
    expect(editor.state.run?.state.status).toBe("completed");
    expect(editor.state.run?.steps["whole"]?.status).toMatch(/completed|reused/);

    editor.dispatch((document, catalog) => setParameter(document, catalog, "two", "value", 3), {
      label: "Set Value",
    });
    expect(selectStaleness("whole")(editor.state)).toEqual(["Constant changed upstream"]);
    expect(await editor.flush()).toBe(true);
    expect((await forecastRun(api, editor.state.document)).nodes).toHaveLength(2);

    const other = { client: "another", seq: 1, revision: editor.state.revision ?? "" };
    const theirs = setParameter(editor.state.whole, editor.state.catalog, "two", "value", 9);
    await commitPipeline(api, theirs, other);
    perform(editor, "undo");
    await until(() => editor.state.saveState === "conflict");
    await resolveConflict(editor, "overwrite");
    expect(editor.state.saveState).toBe("saved");

    await api.ask("DELETE /pipelines/{pipeline_id}", { path: { pipeline_id: id } });
    perform(editor, "redo");
    await until(() => editor.state.conflict?.reason === "deleted");
    await resolveConflict(editor, "overwrite");
    expect(editor.state.saveState).toBe("saved");
    expect((await openPipeline(api, id)).document).toEqual(editor.state.document);
    closeEditor(id);
  },
  90_000,
);
