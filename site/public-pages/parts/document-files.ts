import { existsSync, readFileSync } from 'node:fs'
import type { LanguageCode } from '../../../languages/language.ts'
import type { DocumentPage } from '../../../src/site-server/pages.ts'

/** Which file of `docs/` a page shows. The addresses are written out, because the digest of the site's sources reads them. */
export const documentFiles: Readonly<Record<DocumentPage, { name: string; file: URL }>> = {
  '/docs/guides/console': { name: 'console.md', file: new URL('../../../docs/console.md', import.meta.url) },
  '/docs/guides/clients': { name: 'clients.md', file: new URL('../../../docs/clients.md', import.meta.url) },
  '/docs/guides/keys': { name: 'keys.md', file: new URL('../../../docs/keys.md', import.meta.url) },
  '/docs/guides/billing': { name: 'billing.md', file: new URL('../../../docs/billing.md', import.meta.url) },
  '/docs/guides/teams': { name: 'teams.md', file: new URL('../../../docs/teams.md', import.meta.url) },
  '/docs/guides/sign-in': { name: 'sign-in.md', file: new URL('../../../docs/sign-in.md', import.meta.url) },
  '/docs/guides/webhooks': { name: 'webhooks.md', file: new URL('../../../docs/webhooks.md', import.meta.url) },
  '/docs/guides/messages': { name: 'messages.md', file: new URL('../../../docs/messages.md', import.meta.url) },
  '/docs/guides/embeddings': { name: 'embeddings.md', file: new URL('../../../docs/embeddings.md', import.meta.url) },
  '/docs/guides/rerank': { name: 'rerank.md', file: new URL('../../../docs/rerank.md', import.meta.url) },
  '/docs/guides/retries': { name: 'retries.md', file: new URL('../../../docs/retries.md', import.meta.url) },
  '/docs/operate': { name: 'operating.md', file: new URL('../../../docs/operating.md', import.meta.url) },
  '/docs/operate/install': {
    name: 'operate/install.md',
    file: new URL('../../../docs/operate/install.md', import.meta.url),
  },
  '/docs/operate/config': { name: 'config.md', file: new URL('../../../docs/config.md', import.meta.url) },
  '/docs/operate/models': { name: 'models.md', file: new URL('../../../docs/models.md', import.meta.url) },
  '/docs/operate/upstreams': { name: 'upstreams.md', file: new URL('../../../docs/upstreams.md', import.meta.url) },
  '/docs/operate/limits': { name: 'limits.md', file: new URL('../../../docs/limits.md', import.meta.url) },
  '/docs/operate/hooks': { name: 'hooks.md', file: new URL('../../../docs/hooks.md', import.meta.url) },
  '/docs/operate/cache': { name: 'cache.md', file: new URL('../../../docs/cache.md', import.meta.url) },
  '/docs/operate/reverse-proxies': {
    name: 'operate/reverse-proxies.md',
    file: new URL('../../../docs/operate/reverse-proxies.md', import.meta.url),
  },
  '/docs/operate/postgresql': {
    name: 'operate/postgresql.md',
    file: new URL('../../../docs/operate/postgresql.md', import.meta.url),
  },
  '/docs/operate/redis': { name: 'operate/redis.md', file: new URL('../../../docs/operate/redis.md', import.meta.url) },
  '/docs/operate/backup': {
    name: 'operate/backup.md',
    file: new URL('../../../docs/operate/backup.md', import.meta.url),
  },
  '/docs/operate/upgrade': {
    name: 'operate/upgrade.md',
    file: new URL('../../../docs/operate/upgrade.md', import.meta.url),
  },
  '/docs/operate/secrets': {
    name: 'operate/secrets.md',
    file: new URL('../../../docs/operate/secrets.md', import.meta.url),
  },
  '/docs/operate/security': {
    name: 'operate/security.md',
    file: new URL('../../../docs/operate/security.md', import.meta.url),
  },
  '/docs/operate/sizing': {
    name: 'operate/sizing.md',
    file: new URL('../../../docs/operate/sizing.md', import.meta.url),
  },
  '/docs/operate/logs': { name: 'operate/logs.md', file: new URL('../../../docs/operate/logs.md', import.meta.url) },
  '/docs/operate/metrics': {
    name: 'operate/metrics.md',
    file: new URL('../../../docs/operate/metrics.md', import.meta.url),
  },
  '/docs/operate/alerts': {
    name: 'operate/alerts.md',
    file: new URL('../../../docs/operate/alerts.md', import.meta.url),
  },
  '/docs/operate/traces': {
    name: 'operate/traces.md',
    file: new URL('../../../docs/operate/traces.md', import.meta.url),
  },
  '/docs/operate/diagnostics': {
    name: 'operate/diagnostics.md',
    file: new URL('../../../docs/operate/diagnostics.md', import.meta.url),
  },
  '/docs/operate/incidents': {
    name: 'operate/incidents.md',
    file: new URL('../../../docs/operate/incidents.md', import.meta.url),
  },
  '/docs/operate/platforms': {
    name: 'operate/platforms.md',
    file: new URL('../../../docs/operate/platforms.md', import.meta.url),
  },
}

export const readDocument = (page: DocumentPage): string => readFileSync(documentFiles[page].file, 'utf8')

/** The same document in another language, with the same headings; null if nobody has translated it. */
export const readTranslation = (page: DocumentPage, language: LanguageCode): string | null => {
  const file = new URL(`../../../languages/${language}/documents/${documentFiles[page].name}`, import.meta.url)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
