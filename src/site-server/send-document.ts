import type { OutgoingHttpHeaders } from 'node:http'
import type { Exchange } from '../http/exchange.ts'
import type { BuiltSite } from './built-site.ts'
import { pageHeaders } from './page-headers.ts'
import { askedLanguage, languageCookie, pageLanguage } from './page-language.ts'
import type { DocumentName } from './pages.ts'
import { sendContent } from './send-content.ts'

type Sending = {
  status?: number
  headers?: OutgoingHttpHeaders /** The default chat model, for samples. */
  model?: string
}

/** Sends a document in the reader's language, with the address that the reader used filled in. */
export const sendDocument = (
  exchange: Exchange,
  site: BuiltSite,
  name: DocumentName,
  { status = 200, headers = {}, model = '' }: Sending = {},
): void => {
  const { request, origin } = exchange
  const asked = askedLanguage(request.url ?? '')
  sendContent(exchange, status, site.document(name, pageLanguage(request), { origin: origin.origin, model }), {
    ...pageHeaders(origin.secure),
    ...headers,
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding, Accept-Language, Cookie',
    ...(asked === undefined ? {} : { 'set-cookie': `${languageCookie}=${asked}; ${cookieAttributes(origin.secure)}` }),
  })
}

const cookieAttributes = (isSecure: boolean): string =>
  `Path=/; Max-Age=31536000; SameSite=Lax${isSecure ? '; Secure' : ''}`
