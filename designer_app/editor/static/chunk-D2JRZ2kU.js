<<<<<<<< HEAD:designer_app/editor/static/chunk-DtgDL3om.js
import{n as e}from"./chunk-BvG0PgV4.js";var t=80;function n(n,i){let a=i.problem,{document:o,catalog:s}=n.state;if(!a)return;let c=e(a,o,s);if(!c?.edit)return;let{node:l}=a;n.dispatch(c.edit,{label:c.label,select:`added`}),n.state.document.nodes.length>o.nodes.length&&setTimeout(()=>r(n,l),t)}function r({canvas:e},t){e?.fitView(),t&&e?.reveal(t)}export{n as cure};
========
import{n as e}from"./chunk-htIFcOMu.js";var t=80;function n(n,i){let a=i.problem,{document:o,catalog:s}=n.state;if(!a)return;let c=e(a,o,s);if(!c?.edit)return;let{node:l}=a;n.dispatch(c.edit,{label:c.label,select:`added`}),n.state.document.nodes.length>o.nodes.length&&setTimeout(()=>r(n,l),t)}function r({canvas:e},t){e?.fitView(),t&&e?.reveal(t)}export{n as cure};
>>>>>>>> d14379e1 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-D2JRZ2kU.js
