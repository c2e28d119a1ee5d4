/* Python chose colors for one theme, but the page's theme may have changed since, even before this
   element is first drawn. Called after each change, it reports the new theme to Python. */
export default ({ parentElement: { host }, data: { theme }, setTriggerValue }) => {
  host.tabIndex = -1; // no focusable content
  const app = document.querySelector(".stApp");
  const shown = app && getComputedStyle(app).colorScheme;
  if (theme && shown && shown !== theme) setTriggerValue("theme", shown);
};
