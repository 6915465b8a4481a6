import { createHash } from 'node:crypto'
import { writeHead } from '../http/answer-headers.ts'
import type { Exchange } from '../http/exchange.ts'
import { serverWords } from '../languages/words.ts'
import { pageHeaders } from './page-headers.ts'
import { pageLanguage } from './page-language.ts'

/** What visitors see while there are no built pages. No file can be requested, so its style is inline. */
export const sendWaitingPage = (exchange: Exchange, kind: 'building' | 'absent'): void => {
  const language = pageLanguage(exchange.request)
  const { title, text } = serverWords(language).site[kind]
  const again = kind === 'building' ? '<meta http-equiv="refresh" content="2">' : ''
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${again}
<title>Helix</title><style>${style}</style></head>
<body><main><p>Helix</p><h1>${title}</h1><p>${text}</p></main></body></html>
`
  const bytes = Buffer.from(html)
  // The log has said once that the site is being built.
  if (kind === 'building') exchange.isStarting = true
  writeHead(exchange, 503, {
    ...pageHeaders(exchange.origin.secure, styleHash),
    'content-length': bytes.length,
    'cache-control': 'no-store',
    vary: 'Accept-Language, Cookie',
    ...(kind === 'building' ? { 'retry-after': '2' } : {}),
  })
  exchange.response.end(bytes)
}

const style = `:root{color-scheme:light dark}body{margin:0;background:light-dark(#f7f8f6,#0e1519);color:light-dark(#47545d,#b3c0c5);font:15px/1.6 system-ui,sans-serif}
main{max-width:34em;margin:18vh auto 0;padding:0 24px}h1{color:light-dark(#16212a,#e8eeef);font-size:28px;line-height:1.3;font-weight:600}code{font-family:ui-monospace,monospace}`
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`
