/** Notifications of the desktop, where the user has asked for them and the browser allows it. */

const KEY = "pd-notify-at-end";

export function wantsNotifications(): boolean {
  return (
    "Notification" in globalThis && stored() === "yes" && Notification.permission === "granted"
  );
}

/** Turns them on or off; gives whether they are on, or "denied" where the browser forbids them. */
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
    return "Notifications are blocked. Allow them for this page in the browser settings.";
  }
  return on
    ? "You will be notified on the desktop when a long run ends."
    : "Desktop notifications are off.";
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
    return null; // the browser keeps nothing here
  }
}

function keep(value: string): void {
  try {
    globalThis.localStorage.setItem(KEY, value);
  } catch {
    // it is asked again the next time
  }
}
