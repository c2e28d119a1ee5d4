/** Estimate of a run: time, images, memory, and the outputs that will be reused. */

import { type ReactElement, useEffect, useMemo, useState } from "react";

import { ApiError } from "../../api/client";
import { forecastRun } from "../../api/pipelines";
import type { RunForecast, NodeForecast } from "../../api/types.gen";
import { pathTitle } from "../../graph/places";
import type { PipelineNode } from "../../graph/types";
import type { SweepSettings } from "../../graph/types.gen";
import { useEditor, useEditorState, useView } from "../../view/context";
import { formatBytes, formatCost, formatCount, formatSeconds, formatSize } from "../../view/format";
import { selectCatalog, selectNumErrors, selectWhole } from "../../store/selectors";
import { hasEstimate, trialForecast } from "../../view/trialForecast";
import { estimatesIn } from "../../view/viewStore";
import { t } from "../../graph/translate";
import { rich } from "../../ui/richText";

interface SummaryProps {
  /** Receives the duration of the run; null if no node of it has an estimate. */
  readonly onSeconds?: (seconds: number | null) => void;
  /** The forecast is that of one of its trials. */
  readonly sweep?: SweepSettings | undefined;
}

export function ForecastSummary({ onSeconds, sweep }: SummaryProps): ReactElement | null {
  const whole = useEditorState(selectWhole);
  const ofRun = useForecast();
  const forecast = useMemo(() => {
    if (!sweep || ofRun === "waiting" || ofRun instanceof ApiError) return ofRun;
    return trialForecast(ofRun, whole, sweep);
  }, [ofRun, sweep, whole]);
  useEffect(() => {
    if (forecast !== "waiting" && !(forecast instanceof ApiError))
      onSeconds?.(hasEstimate(forecast) ? forecast.totals.critical_path_seconds : null);
  }, [forecast, onSeconds]);
  if (forecast === "waiting") return <Waiting />;
  if (forecast instanceof ApiError) return <Refusal error={forecast} />;
  return (
    <section aria-label={t("Forecast")} data-testid="forecast">
      <ForecastContent forecast={forecast} isTrial={sweep !== undefined} />
    </section>
  );
}

interface ContentProps {
  readonly forecast: RunForecast;
  /** Goes to a node; names are then buttons. */
  readonly onGo?: (node: string) => void;
  /** It is that of one trial of a sweep. */
  readonly isTrial?: boolean;
}

/** Totals, warnings, and every node. */
export function ForecastContent({ forecast, onGo, isTrial = false }: ContentProps): ReactElement {
  return (
    <>
      <div className="pd-box pd-forecast-total">
        <Totals {...forecast} isTrial={isTrial} />
      </div>
      <Findings nodes={forecast.nodes} />
      <Notes nodes={forecast.nodes} />
      <ForecastTable nodes={forecast.nodes} onGo={onGo} />
    </>
  );
}

/** Placeholder as large as the content that replaces it. */
function Waiting(): ReactElement {
  const { nodes } = useEditorState(selectWhole);
  return (
    <section aria-label={t("Forecast")} aria-busy>
      <div className="pd-box pd-forecast-wait" role="status">
        <span className="pd-spinner" /> {t("Computing the forecast.")}
      </div>
      <ForecastTable nodes={nodes.filter((node) => !node.disabled).map(unknown)} />
    </section>
  );
}

/** Fields of a row in the table. */
type Row = Pick<
  NodeForecast,
  | "node"
  | "reused"
  | "images"
  | "image_size"
  | "classes"
  | "memory_bytes"
  | "seconds"
  | "last"
  | "cost"
>;

function unknown({ id }: PipelineNode): Row {
  return {
    node: id,
    reused: false,
    images: null,
    classes: null,
    image_size: null,
    memory_bytes: null,
    seconds: null,
    last: null,
    cost: null,
  };
}

/** Errors that the server found would also fail a run; no response says nothing about the
 * pipeline. */
function Refusal({ error }: { readonly error: ApiError }): ReactElement {
  const { message, cure, isPassing } = error;
  return (
    <div
      className="pd-box"
      data-kind={isPassing ? undefined : "error"}
      role="alert"
      data-testid="forecast-refused"
    >
      <b>{isPassing ? t("No forecast:") : t("This run would fail:")}</b> {message} {cure}
    </div>
  );
}

/** Warnings and errors about the steps of the run, if there are any. */
function Findings({ nodes }: { readonly nodes: readonly NodeForecast[] }): ReactElement | null {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const doubts = nodes.flatMap(({ node, findings }) =>
    findings.map((finding) => ({ node, ...finding })),
  );
  if (doubts.length === 0) return null;
  const title = (id: string): string => pathTitle(whole, catalog, id);
  return (
    <ul className="pd-box pd-findings" data-kind={worstOf(doubts)} data-testid="forecast-findings">
      {doubts.map(({ node, parameter, message, cure }) => (
        <li key={`${node} ${parameter} ${message}`}>
          <b>{title(node)}</b>: {message} {cure}
        </li>
      ))}
    </ul>
  );
}

/** Facts about the steps, such as downloads. */
function Notes({ nodes }: { readonly nodes: readonly NodeForecast[] }): ReactElement | null {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const noted = nodes.filter(({ notes }) => notes.length > 0);
  if (noted.length === 0) return null;
  return (
    <ul className="pd-box pd-findings" data-testid="forecast-notes">
      {noted.map(({ node, notes }) => (
        <li key={node}>
          <b>{pathTitle(whole, catalog, node)}</b>: {notes.join(" ")}
        </li>
      ))}
    </ul>
  );
}

function worstOf(findings: NodeForecast["findings"]): "error" | "warning" {
  return findings.some((finding) => finding.severity === "error") ? "error" : "warning";
}

type TotalsProps = RunForecast & { readonly isTrial: boolean };

function Totals(props: TotalsProps): ReactElement {
  const { nodes, totals, other_work: otherWork, isTrial } = props;
  const { critical_path_seconds: seconds, nodes_reused: reused, nodes_unknown: unknown } = totals;
  const isKnown = hasEstimate(props);
  const range = rangeText(totals.range_seconds);
  const time = { time: <b>{formatSeconds(seconds)}</b>, range };
  if (reused === nodes.length) return <>{t("Nothing has changed. Every output is reused.")}</>;
  return (
    <>
      {!isKnown
        ? t("The time is unknown")
        : isTrial
          ? rich("About {time}{range} per trial on this machine", time)
          : rich("About {time}{range} on this machine", time)}
      {reused > 0 && (
        <>
          , <b>{t("{count:,} {count:node|nodes}", { count: reused })}</b> {t("reused")}
        </>
      )}
      {totals.memory_bytes !== null && (
        <>, {rich("up to {size} of memory", { size: <b>{formatBytes(totals.memory_bytes)}</b> })}</>
      )}
      {totals.cost !== null && (
        <>, {rich("at a cost of {cost}", { cost: <b>{formatCost(totals.cost)}</b> })}</>
      )}
      {unknown > 0 && (
        <>; {t("no estimate for {count:,} {count:node|nodes}", { count: unknown })}</>
      )}
      .
      {isKnown && otherWork.words && (
        <span className="pd-other-work" role="status" data-testid="other-work">
          {" "}
          {t("Under the current load ({words}): about {time}.", {
            words: otherWork.words,
            time: formatSeconds(otherWork.seconds),
          })}
        </span>
      )}
    </>
  );
}

interface TableProps {
  readonly nodes: readonly Row[];
  readonly onGo?: ContentProps["onGo"] | undefined;
}

function ForecastTable({ nodes, onGo }: TableProps): ReactElement {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const isPriced = nodes.some((node) => node.cost !== null);
  return (
    <table className="pd-forecast">
      <thead>
        <tr>
          <th scope="col">{t("Node")}</th>
          <th scope="col">{t("Images")}</th>
          <th scope="col">{t("Size")}</th>
          <th scope="col">{t("Classes")}</th>
          <th scope="col">{t("Memory")}</th>
          <th scope="col">{t("Time")}</th>
          <th scope="col">{t("Last time")}</th>
          {isPriced && <th scope="col">{t("Cost")}</th>}
        </tr>
      </thead>
      <tbody>
        {nodes.map((node) => {
          const title = pathTitle(whole, catalog, node.node);
          return (
            <tr key={node.node} data-reused={node.reused}>
              <td>
                {onGo ? (
                  <button type="button" className="pd-link" onClick={() => onGo(node.node)}>
                    {title}
                  </button>
                ) : (
                  title
                )}
              </td>
              <td>{node.images === null ? "–" : formatCount(node.images)}</td>
              <td>{node.image_size ? formatSize(node.image_size) : "–"}</td>
              <td>{node.classes ?? "–"}</td>
              <td>{node.memory_bytes === null ? "–" : formatBytes(node.memory_bytes)}</td>
              <td>{timeOf(node)}</td>
              <td data-testid={`last-time-${node.node}`}>
                {node.last ? formatSeconds(node.last.seconds) : "–"}
              </td>
              {isPriced && <td>{node.cost === null ? "–" : formatCost(node.cost)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** " (25 s to 40 s)"; empty if both ends have the same text. */
export function rangeText([least, most]: readonly [number, number]): string {
  const [from, to] = [formatSeconds(least), formatSeconds(most)];
  return from === to ? "" : ` (${t("{from} to {to}", { from, to })})`;
}

function timeOf(node: Row): string {
  if (node.reused) return t("reused");
  return node.seconds === null ? "–" : formatSeconds(node.seconds);
}

function useForecast(): RunForecast | "waiting" | ApiError {
  const editor = useEditor();
  const view = useView();
  const document = useEditorState(selectWhole);
  const [forecast, setForecast] = useState<RunForecast | "waiting" | ApiError>("waiting");
  useEffect(() => {
    let over = false;
    editor.code
      .settle()
      .then(() => editor.checking.settle())
      // a pipeline with errors is not estimated: the dialog lists them instead
      .then<RunForecast | "waiting">(() =>
        selectNumErrors(editor.state) ? "waiting" : forecastRun(editor.api, document),
      )
      .then((answer) => {
        if (over) return;
        if (answer !== "waiting") view.setState(estimatesIn(answer));
        setForecast(answer);
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!over) setForecast(error);
      });
    return () => {
      over = true;
    };
  }, [editor, view, document]);
  return forecast;
}
