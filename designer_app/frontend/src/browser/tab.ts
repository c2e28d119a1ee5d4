/** Browser tab: its title and icon show the progress of the run. */

export type TabIcon =
  | { readonly kind: "plain" | "done" | "failed" }
  | {
      readonly kind: "running";
      /** From 0 to 1. */ readonly share: number;
    };

const GREEN = "#178554";
const RED = "#c8423a";
const BLUE = "#2b69de";

/** Set title and icon, again whenever the surrounding page sets its own; returns a function that
 * stops it. */
export function takeTab(): { show(title: string, icon: TabIcon): void; release(): void } {
  const before = { title: document.title, icon: iconLink()?.href ?? null };
  let wanted = before.title;
  const observer = new MutationObserver(() => {
    if (document.title !== wanted) document.title = wanted;
  });
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  return {
    show(title, icon) {
      wanted = asTitle(title);
      document.title = wanted;
      setIcon(icon.kind === "plain" ? before.icon : drawn(icon));
    },
    release() {
      observer.disconnect();
      setIcon(before.icon);
    },
  };
}

/** Normalize a title as a document returns it; a different string would be written again and
 * again. */
export function asTitle(text: string): string {
  return text.replace(/[\t\n\f\r ]+/g, " ").replace(/^ | $/g, "");
}

function iconLink(): HTMLLinkElement | null {
  return document.head.querySelector<HTMLLinkElement>("link[rel~=icon]");
}

function setIcon(href: string | null): void {
  const link = iconLink();
  if (link && href !== null && link.href !== href) link.href = href;
}

function drawn(icon: TabIcon): string {
  const parts =
    icon.kind === "running"
      ? ring(icon.share)
      : icon.kind === "done"
        ? disc(GREEN, "M9 16.5l5 5 9.5-11")
        : disc(RED, "M11 11l10 10M21 11L11 21");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${parts}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

function ring(share: number): string {
  const round = 2 * Math.PI * 12;
  const circle = `cx="16" cy="16" r="12" fill="none" stroke-width="7"`;
  const done = `${(round * Math.max(0.03, Math.min(1, share))).toFixed(1)} ${round.toFixed(1)}`;
  return (
    `<circle ${circle} stroke="#98a3b2" stroke-opacity=".45"/>` +
    `<circle ${circle} stroke="${BLUE}" stroke-dasharray="${done}" transform="rotate(-90 16 16)"/>`
  );
}

function disc(colour: string, mark: string): string {
  const line = `fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"`;
  return `<circle cx="16" cy="16" r="15" fill="${colour}"/><path d="${mark}" ${line}/>`;
}
