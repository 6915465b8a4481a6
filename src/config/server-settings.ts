import { choice, flag, integer, list, path, type Setting, text } from './setting.ts'
import { httpUrl, origins, siteUrl } from './url-setting.ts'

/** Where the server listens, by which names it is reached, and HTTPS. */
export const serverSettings = {
  host: text({ default: '127.0.0.1', text: 'Address to listen on.' }),
  port: integer({ default: 8080, min: 0, max: 65_535, text: 'Port to listen on; 0 selects a free port.' }),
  workers: integer({
    default: null,
    min: 1,
    max: 64,
    defaultText: '1 without upstreams; otherwise one less than the number of CPU cores, at most 8',
    text: 'Threads that accept connections and answer requests for models of upstreams, decided when the server starts; see docs/operating.md. 1: the main thread does it.',
  }),
  publicUrl: siteUrl({
    default: null,
    text: 'Public URL of the server, if it differs from host and port. Requests for other hosts are refused.',
  }),
  sourceUrl: httpUrl({
    default: null,
    text: 'Address of the source code that this server runs, for example of your fork. The footer of the public pages links to it.',
  }),
  trustedProxies: list({
    default: [],
    text: 'IP addresses or CIDR ranges of proxies whose forwarded headers are trusted.',
  }),
  corsOrigins: origins({
    default: ['*'],
    takesEmpty: true,
    text: 'Origins allowed to call the API from a browser (CORS); `*` for all, empty for none.',
  }),
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
} satisfies Record<string, Setting<unknown>>
