/* Python chose colours for a theme, and may have been told of another one since: the page's can
   change before this is there for the first time. Called in each theme, it has them chosen anew. */
export default ({ parentElement: { host }, data: { theme }, setTriggerValue }) => {
  host.tabIndex = -1; // there is nothing to reach in it
  const app = document.querySelector(".stApp");
  const shown = app && getComputedStyle(app).colorScheme;
  if (theme && shown && shown !== theme) setTriggerValue("theme", shown);
};
