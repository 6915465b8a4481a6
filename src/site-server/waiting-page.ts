import { createHash } from 'node:crypto'
import { writeHead } from '../http/answer-headers.ts'
import type { Exchange } from '../http/exchange.ts'
import { serverWords } from '../languages/words.ts'
import { immediately } from './held-requests.ts'
import type { SiteState } from './open-site.ts'
import { pageHeaders } from './page-headers.ts'
import { pageLanguage } from './page-language.ts'

/**
 * What visitors see instead of a page that is not there: after a request was held for as long as requests are, or at once if there
 * will be no page. No file can be requested, so its style and its script are inline.
 */
export const sendWaitingPage = (exchange: Exchange, state: SiteState): void => {
  const language = pageLanguage(exchange.request)
  const kind = waitingKind(state)
  const words = serverWords(language).site
  const { title, text } = words[kind]
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title} · Helix</title><style>${style}</style></head>
<body><header>${mark}<span>Helix</span></header>
${band(state.kind === 'building' ? grownPercent(state.files) : 0)}
<main><h1>${title}</h1><p>${text}</p>${state.kind === 'building' ? count(words.building, state.files) : ''}${failure(state)}</main>
${state.kind === 'building' ? `<script>${script}</script>` : ''}</body></html>
`
  const bytes = Buffer.from(html)
  writeHead(exchange, 503, {
    ...pageHeaders(exchange.origin.secure, inline),
    'content-length': bytes.length,
    'cache-control': 'no-store',
    vary: 'Accept-Language, Cookie, Prefer',
    ...(state.kind === 'building' ? { 'retry-after': '2' } : {}),
  })
  exchange.response.end(bytes)
}

const waitingKind = (state: SiteState): 'building' | 'absent' | 'failed' => {
  if (state.kind === 'building') return 'building'
  return state.kind === 'absent' && state.failure !== null ? 'failed' : 'absent'
}

const count = (words: { files(count: number): string; noScript: string }, files: number): string =>
  `<p class="count" role="status">${words.files(files)}</p><noscript><p>${words.noScript}</p></noscript>`

const failure = (state: SiteState): string =>
  state.kind === 'absent' && state.failure !== null ? `<pre tabindex="0">${escapeHtml(state.failure)}</pre>` : ''

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Each file adds to the strand. How many there will be is known only at the end, so that it never looks complete. */
const grownPercent = (files: number): number => Math.round((4 + 94 * (1 - Math.exp(-files / 400))) * 10) / 10

/** The logo, see `favicon.svg`. */
const mark =
  '<svg width="26" height="26" viewBox="0 0 16 16" aria-hidden="true"><g fill="none" stroke-width="2" stroke-linecap="round"><path class="r" d="M3.5 1.2C3.5 4.8 12.5 4.4 12.5 8"/><path class="s" d="M12.5 1.2C12.5 4.8 3.5 4.4 3.5 8s9 3.2 9 6.8"/><path class="r" d="M12.5 8c0 3.6-9 3.2-9 6.8"/><path class="s" stroke-width="1.6" d="M6.6 8h2.8"/></g></svg>'

const [halfTurn, middle, height, turns] = [220, 44, 32, 14]

/** Two strands that pass over each other by turns: a dash of the lower one is drawn again around every second crossing. */
const strand = ((): string => {
  // The handle of a curve is twice as high as the curve.
  const path = (sign: 1 | -1): string =>
    `M-${halfTurn} ${middle}q${halfTurn / 2} ${sign * 2 * height} ${halfTurn} 0${`t${halfTurn} 0`.repeat(turns)}`
  const drawn = (colour: string, sign: 1 | -1): string => `<path class="${colour}" d="${path(sign)}"/>`
  const over = (colour: string, sign: 1 | -1, crossing: 0 | 1): string =>
    ['gap', colour]
      .map((each) => `<path class="${each} over${crossing}" pathLength="${turns + 1}" d="${path(sign)}"/>`)
      .join('')
  const rungs = Array.from({ length: turns * 10 }, (_, index) => {
    const x = (index + 1) * (halfTurn / 10)
    const reach = Math.abs(height * Math.sin((Math.PI * x) / halfTurn)) - 6
    return reach < 4 ? '' : `M${x} ${Math.round(middle - reach)}V${Math.round(middle + reach)}`
  })
  return `<path class="rung" d="${rungs.join('')}"/>${drawn('s', 1)}${over('r', -1, 0)}${drawn('r', -1)}${over('s', 1, 1)}`
})()

/** The strand in pale, and over it as much as has grown, from the left edge. */
const band = (percent: number): string =>
  `<svg class="band" width="100%" height="${2 * middle}" aria-hidden="true"><defs><g id="strand" fill="none" stroke-width="4">${strand}</g></defs><use href="#strand" opacity=".16"/><svg id="grown" width="${percent}%" height="${2 * middle}"><use href="#strand"/></svg></svg>`

/** Asks for the page itself, which says how far the build is until it is there, and then loads it: that keeps what follows the `#`. */
const script = `const ask=async()=>{try{const answer=await fetch(location.href,{headers:{prefer:'${immediately}'},cache:'no-store'})
if(answer.status!==503)return location.reload()
const next=new DOMParser().parseFromString(await answer.text(),'text/html')
const grown=next.getElementById('grown')
if(next.querySelector('.count')===null)return location.reload()
document.getElementById('grown').setAttribute('width',grown.getAttribute('width'))
document.querySelector('.count').textContent=next.querySelector('.count').textContent}catch{}
setTimeout(ask,1000)}
setTimeout(ask,1000)`

const style = `:root{color-scheme:light dark;--ground:light-dark(#f7f8f6,#0e1519);--ink:light-dark(#16212a,#e8eeef);--ink-2:light-dark(#47545d,#b3c0c5);--sunken:light-dark(#eef1ef,#1a252b);--line:light-dark(#7f8c89,#6f8089)}
body{margin:0;padding:16px 0 24px;background:var(--ground);color:var(--ink-2);font:420 15px/1.65 "Instrument Sans Variable","Hiragino Sans","Yu Gothic UI",Meiryo,"Noto Sans JP","Noto Sans CJK JP",system-ui,sans-serif}
header,main{width:min(400px,100% - 48px);margin:0 auto}
header{display:flex;align-items:center;gap:9px;min-height:40px;color:var(--ink);font-weight:600;font-size:17px;letter-spacing:-.02em}
.band{display:block;margin:24px 0 32px;overflow:hidden}
.s{stroke:light-dark(#165e83,#7cbfe0)}.r{stroke:light-dark(#d9572a,#ef8a5d)}
.gap{stroke:var(--ground);stroke-width:10}.rung{stroke:var(--line);stroke-width:1.5;opacity:.55}
.over0,.over1{stroke-dasharray:.5 1.5;stroke-dashoffset:.25}.over1{stroke-dashoffset:-.75}
#grown{transition:width 900ms cubic-bezier(.2,.7,.2,1)}@media(prefers-reduced-motion:reduce){#grown{transition:none}}
h1{margin:0;color:var(--ink);font-size:24px;line-height:1.35;font-weight:560;text-wrap:balance;word-break:auto-phrase}
p{margin:6px 0 0;text-wrap:pretty}.count{margin-top:16px;font-size:13px;font-variant-numeric:tabular-nums}
code,pre{font-family:"IBM Plex Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px}
pre{max-height:50vh;margin:24px 0 0;padding:16px;overflow:auto;border-radius:8px;background:var(--sunken);color:var(--ink);white-space:pre-wrap;overflow-wrap:anywhere}`

const hash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
const inline = { style: hash(style), script: hash(script) }
