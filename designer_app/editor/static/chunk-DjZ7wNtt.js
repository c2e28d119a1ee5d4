<<<<<<<< HEAD:designer_app/editor/static/chunk-B6uwGRzk.js
import{n as e}from"./chunk-lNEiuiDM.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
========
import{n as e}from"./chunk-BDzNgyuc.js";var t=80;function n(n,r){let i=r.problem,{document:a,catalog:o}=n.state,s=i&&e(i,a,o);s?.edit&&(n.dispatch(s.edit,{label:s.label,select:`added`}),n.state.document.nodes.length>a.nodes.length&&setTimeout(()=>n.canvas?.fitView(),t))}export{n as cure};
>>>>>>>> a7806cf (Tidy up leaves room for pictures, wires of one output share their line, panes have no empty tabs; what a card opens is below it on a telephone):designer_app/editor/static/chunk-BAnoKPmI.js
