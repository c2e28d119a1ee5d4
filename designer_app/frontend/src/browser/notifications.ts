/** Desktop notifications, if the user has turned them on and the browser allows them. */

import { t } from "../graph/translate";

const KEY = "pd-notify-at-end";

export function wantsNotifications(): boolean {
  return (
    "Notification" in globalThis && stored() === "yes" && Notification.permission === "granted"
  );
}

/** Turn them on or off; returns whether they are on, or "denied" if the browser forbids them. */
export async function toggleNotifications(): Promise<boolean | "denied"> {
  if (wantsNotifications()) {
    keep("no");
    return false;
  }
  const allowed = "Notification" in globalThis ? await Notification.requestPermission() : "denied";
  if (allowed !== "granted") return "denied";
  keep("yes");
  return true;
}

/** Return the message for a notification setting. */
export function notifying(on: boolean | "denied"): string {
  if (on === "denied") {
    return t("Notifications are blocked. Allow them for this page in the browser settings.");
  }
  return on
    ? t("You will be notified on the desktop when a long run ends.")
    : t("Desktop notifications are off.");
}

/** Show a desktop notification; a click on it returns to this tab. */
export function notifyDesktop(title: string, body: string): void {
  const notification = new Notification(title, { body, tag: title });
  notification.onclick = () => {
    globalThis.focus();
    notification.close();
  };
}

function stored(): string | null {
  try {
    return globalThis.localStorage.getItem(KEY);
  } catch {
    return null; // the browser stores nothing
  }
}

function keep(value: string): void {
  try {
    globalThis.localStorage.setItem(KEY, value);
  } catch {
    // the permission is requested again next time
  }
}
