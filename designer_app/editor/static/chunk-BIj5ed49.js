<<<<<<<< HEAD:designer_app/editor/static/chunk-CqwWfC2X.js
import{n as e}from"./chunk-DfI64w73.js";var t=80;function n(n,i){let a=i.problem,{document:o,catalog:s}=n.state;if(!a)return;let c=e(a,o,s);if(!c?.edit)return;let{node:l}=a;n.dispatch(c.edit,{label:c.label,select:`added`}),n.state.document.nodes.length>o.nodes.length&&setTimeout(()=>r(n,l),t)}function r({canvas:e},t){e?.fitView(),t&&e?.reveal(t)}export{n as cure};
========
import{n as e}from"./chunk-DNWqgAen.js";var t=80;function n(n,i){let a=i.problem,{document:o,catalog:s}=n.state;if(!a)return;let c=e(a,o,s);if(!c?.edit)return;let{node:l}=a;n.dispatch(c.edit,{label:c.label,select:`added`}),n.state.document.nodes.length>o.nodes.length&&setTimeout(()=>r(n,l),t)}function r({canvas:e},t){e?.fitView(),t&&e?.reveal(t)}export{n as cure};
>>>>>>>> 90076faa (Versions of a pipeline have names, and commands get other keys):designer_app/editor/static/chunk-BIj5ed49.js
