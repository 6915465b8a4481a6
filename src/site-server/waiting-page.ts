import { createHash } from 'node:crypto'
import { writeHead } from '../http/answer-headers.ts'
import type { Exchange } from '../http/exchange.ts'
import { pageHeaders } from './page-headers.ts'
import { pageLanguage } from './page-language.ts'
import type { Language } from './pages.ts'

/** What visitors see while there are no built pages. No file can be requested, so its style is inline. */
export const sendWaitingPage = (exchange: Exchange, kind: 'building' | 'absent'): void => {
  const language = pageLanguage(exchange.request)
  const { title, text } = words[kind][language]
  const again = kind === 'building' ? '<meta http-equiv="refresh" content="2">' : ''
  const html = `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${again}
<title>Helix</title><style>${style}</style></head>
<body><main><p>Helix</p><h1>${title}</h1><p>${text}</p></main></body></html>
`
  const bytes = Buffer.from(html)
  writeHead(exchange, 503, {
    ...pageHeaders(exchange.origin.secure, styleHash),
    'content-length': bytes.length,
    'cache-control': 'no-store',
    vary: 'Accept-Language, Cookie',
    ...(kind === 'building' ? { 'retry-after': '2' } : {}),
  })
  exchange.response.end(bytes)
}

const words: Record<'building' | 'absent', Record<Language, { title: string; text: string }>> = {
  building: {
    en: {
      title: 'The site is being built.',
      text: 'This happens once after an update and takes a few seconds. The API already answers. This page loads again by itself.',
    },
    ja: {
      title: 'サイトを準備しています。',
      text: '更新後に一度だけ、数秒かかります。APIはすでに使えます。このページは自動で再読み込みされます。',
    },
  },
  absent: {
    en: {
      title: 'The site is not built.',
      text: 'The API works. To get the site, run <code>npm ci</code> and <code>npm start</code> where Helix is installed.',
    },
    ja: {
      title: 'サイトはまだビルドされていません。',
      text: 'APIは使えます。サイトを表示するには、Helixをインストールした場所で <code>npm ci</code> と <code>npm start</code> を実行してください。',
    },
  },
}

const style = `:root{color-scheme:light dark}body{margin:0;background:light-dark(#f7f8f6,#0e1519);color:light-dark(#47545d,#b3c0c5);font:15px/1.6 system-ui,sans-serif}
main{max-width:34em;margin:18vh auto 0;padding:0 24px}h1{color:light-dark(#16212a,#e8eeef);font-size:28px;line-height:1.3;font-weight:600}code{font-family:ui-monospace,monospace}`
const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`
