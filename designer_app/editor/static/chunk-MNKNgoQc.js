<<<<<<< HEAD:designer_app/editor/static/chunk-MNKNgoQc.js
import"./chunk-DMMsxLSq.js";var e=8,t=26,n=52-e,r={height:12,width:68},i=28,a=5;function o(i,o){let s=Math.min(i,o-a)-e,c=Math.min(s,i-e-r.height);if(c>=t)return{edge:Math.min(n,c),width:200};let l=Math.min(t,s);return l<t?void 0:{edge:l,width:200-r.width}}function s(e,t){let n=e.y+e.height;return t.some(t=>t!==e&&t.y>=e.y&&t.y<n+52+i&&t.x<e.x+e.width&&t.x+t.width>e.x)?e:{...e,height:e.height+52}}export{s as n,o as t};
=======
<<<<<<<< HEAD:designer_app/editor/static/chunk-Cf7W6wLo.js
import"./chunk-BXencsGv.js";var e=8,t=26,n=52-e,r={height:12,width:68},i=28,a=5;function o(i,o){let s=Math.min(i,o-a)-e,c=Math.min(s,i-e-r.height);if(c>=t)return{edge:Math.min(n,c),width:200};let l=Math.min(t,s);return l<t?void 0:{edge:l,width:200-r.width}}function s(e,t){let n=e.y+e.height;return t.some(t=>t!==e&&t.y>=e.y&&t.y<n+52+i&&t.x<e.x+e.width&&t.x+t.width>e.x)?e:{...e,height:e.height+52}}export{s as n,o as t};
========
import"./chunk-Bbm_3cYo.js";var e=8,t=26,n=52-e,r={height:12,width:68},i=28,a=5;function o(i,o){let s=Math.min(i,o-a)-e,c=Math.min(s,i-e-r.height);if(c>=t)return{edge:Math.min(n,c),width:200};let l=Math.min(t,s);return l<t?void 0:{edge:l,width:200-r.width}}function s(e,t){let n=e.y+e.height;return t.some(t=>t!==e&&t.y>=e.y&&t.y<n+52+i&&t.x<e.x+e.width&&t.x+t.width>e.x)?e:{...e,height:e.height+52}}export{s as n,o as t};
>>>>>>>> d14379e1 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-D8cbp6Hf.js
>>>>>>> 7f174432 (Refused wires and missing inputs name types in words; Home says when other work takes the cores; a spinner takes eight steps a turn):designer_app/editor/static/chunk-Cf7W6wLo.js
