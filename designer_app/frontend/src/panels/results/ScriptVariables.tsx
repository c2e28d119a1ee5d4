/** Environment variables of a node's script with their values for its counts, and its command. */

import type { ReactElement } from "react";

import {
  commandLine,
  launcherVariables,
  sharedVariables,
  type Variable,
} from "../../graph/launchers";
import { valueOf } from "../../graph/parameters";
import type { ModuleSpec, PipelineNode } from "../../graph/types";
import { t } from "../../graph/translate";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
}

export function ScriptVariables({ node, module }: Props): ReactElement {
  const values = module.parameters.map(
    (parameter) => [parameter.id, valueOf(parameter, node)] as const,
  );
  const command = commandLine(Object.fromEntries(values), node.run_settings);
  const variables = [...launcherVariables(node.run_settings), ...sharedVariables(module, node)];
  return (
    <section aria-label={t("Environment variables of the script")} data-testid="script-variables">
      {command !== undefined && (
        <>
          <h3 className="pd-heading">{t("Command")}</h3>
          <pre className="pd-code pd-command" tabIndex={0} data-testid="command-line">
            {command}
          </pre>
        </>
      )}
      <h3 className="pd-heading">{t("Environment variables of the script")}</h3>
      <p className="pd-dim">{t("Each process has its own values.")}</p>
      <table className="pd-variables">
        <thead>
          <tr>
            <th scope="col">{t("Variable")}</th>
            <th scope="col">{t("Value")}</th>
          </tr>
        </thead>
        <tbody>
          {variables.map((variable) => (
            <VariableLine key={variable.name} variable={variable} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function VariableLine({ variable }: { readonly variable: Variable }): ReactElement {
  return (
    <tr>
      <th scope="row">
        <code>{variable.name}</code>
        <small>{variable.help}</small>
      </th>
      <td>{variable.value}</td>
    </tr>
  );
}
