import { choice, flag, list, path, type Setting } from './setting.ts'
import { origins, siteUrl } from './url-setting.ts'

/** HTTPS, proxies and browsers. */
export const httpSettings = {
  tls: choice(['off', 'self-signed'], {
    default: 'off',
    text: '`self-signed` creates a certificate in the data directory, for testing HTTPS on this machine.',
  }),
  tlsCert: path({ default: null, text: 'Certificate chain (PEM). Together with `tlsKey`, enables HTTPS.' }),
  tlsKey: path({ default: null, text: 'Private key (PEM) for `tlsCert`. Both files are reloaded when they change.' }),
  allowPlaintext: flag({
    default: false,
    text: 'Allows plain HTTP on an address that other machines can reach, for use behind a proxy that terminates TLS.',
  }),
  publicUrl: siteUrl({
    default: null,
    text: 'Public URL of the server, if it differs from host and port. Requests for other hosts are refused.',
  }),
  trustedProxies: list({
    default: [],
    text: 'IP addresses or CIDR ranges of proxies whose forwarded headers are trusted.',
  }),
  corsOrigins: origins({
    default: ['*'],
    text: 'Origins allowed to call the API from a browser (CORS); `*` for all, empty for none.',
  }),
} satisfies Record<string, Setting<unknown>>
