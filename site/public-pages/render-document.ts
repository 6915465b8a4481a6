import type { WholeDocument } from '../../src/site-server/pages.ts'
import { renderAgents } from './documents/agents.ts'
import { renderApi } from './documents/api.ts'
import { renderApiGroup } from './documents/api-group.ts'
import { renderCallback } from './documents/callback.ts'
import { renderChangelog } from './documents/changelog.ts'
import { renderClaim } from './documents/claim.ts'
import { renderCompatibility } from './documents/compatibility.ts'
import { renderFile } from './documents/document.ts'
import { renderEmbeddings } from './documents/embeddings.ts'
import { renderErrors } from './documents/errors.ts'
import { renderInvitation } from './documents/invitation.ts'
import { renderLanding } from './documents/landing.ts'
import { renderLimits } from './documents/limits.ts'
import { renderMigration } from './documents/migration.ts'
import { renderNotFound } from './documents/not-found.ts'
import { renderQuickstart } from './documents/quickstart.ts'
import { renderReasoning } from './documents/reasoning.ts'
import { renderReset } from './documents/reset.ts'
import { renderRetries } from './documents/retries.ts'
import { renderSignIn } from './documents/sign-in.ts'
import { renderSignUp } from './documents/sign-up.ts'
import { renderStreaming } from './documents/streaming.ts'
import { renderStructuredOutput } from './documents/structured-output.ts'
import { renderTools } from './documents/tools.ts'
import { renderTroubleshooting } from './documents/troubleshooting.ts'
import { renderVerify } from './documents/verify.ts'
import type { PageAssets, PagePictures } from './page-assets.ts'
import type { PageContext, PageReader } from './page-context.ts'
import { type Page, pageFrame } from './page-frame.ts'

/** Every document by its name; one without a template does not compile. */
const templates: Record<WholeDocument, (context: PageContext, assets: PagePictures) => Page> = {
  '/': renderLanding,
  '/signup': renderSignUp,
  '/signin': renderSignIn,
  '/claim': renderClaim,
  '/reset': renderReset,
  '/verify': renderVerify,
  '/invitation': renderInvitation,
  callback: renderCallback,
  '/docs': renderQuickstart,
  '/docs/streaming': renderStreaming,
  '/docs/tools': renderTools,
  '/docs/structured-output': renderStructuredOutput,
  '/docs/reasoning': renderReasoning,
  '/docs/embeddings': renderEmbeddings,
  '/docs/agents': renderAgents,
  '/docs/migration': renderMigration,
  '/docs/troubleshooting': renderTroubleshooting,
  '/docs/api': renderApi,
  '/docs/api/chat-completions': renderApiGroup('/docs/api/chat-completions'),
  '/docs/api/responses': renderApiGroup('/docs/api/responses'),
  '/docs/api/messages': renderApiGroup('/docs/api/messages'),
  '/docs/api/completions': renderApiGroup('/docs/api/completions'),
  '/docs/api/embeddings': renderApiGroup('/docs/api/embeddings'),
  '/docs/api/rerank': renderApiGroup('/docs/api/rerank'),
  '/docs/api/models': renderApiGroup('/docs/api/models'),
  '/docs/api/tokens': renderApiGroup('/docs/api/tokens'),
  '/docs/api/keys': renderApiGroup('/docs/api/keys'),
  '/docs/api/usage': renderApiGroup('/docs/api/usage'),
  '/docs/api/other': renderApiGroup('/docs/api/other'),
  '/docs/errors': renderErrors,
  '/docs/limits': renderLimits,
  '/docs/retries': renderRetries,
  '/docs/compatibility': renderCompatibility,
  '/docs/changelog': renderChangelog,
  '/docs/guides/console': renderFile('/docs/guides/console'),
  '/docs/guides/clients': renderFile('/docs/guides/clients'),
  '/docs/guides/keys': renderFile('/docs/guides/keys'),
  '/docs/guides/billing': renderFile('/docs/guides/billing'),
  '/docs/guides/teams': renderFile('/docs/guides/teams'),
  '/docs/guides/sign-in': renderFile('/docs/guides/sign-in'),
  '/docs/guides/webhooks': renderFile('/docs/guides/webhooks'),
  '/docs/guides/messages': renderFile('/docs/guides/messages'),
  '/docs/guides/embeddings': renderFile('/docs/guides/embeddings'),
  '/docs/guides/rerank': renderFile('/docs/guides/rerank'),
  '/docs/guides/retries': renderFile('/docs/guides/retries'),
  '/docs/operate': renderFile('/docs/operate'),
  '/docs/operate/install': renderFile('/docs/operate/install'),
  '/docs/operate/config': renderFile('/docs/operate/config'),
  '/docs/operate/models': renderFile('/docs/operate/models'),
  '/docs/operate/upstreams': renderFile('/docs/operate/upstreams'),
  '/docs/operate/limits': renderFile('/docs/operate/limits'),
  '/docs/operate/hooks': renderFile('/docs/operate/hooks'),
  '/docs/operate/cache': renderFile('/docs/operate/cache'),
  '/docs/operate/reverse-proxies': renderFile('/docs/operate/reverse-proxies'),
  '/docs/operate/postgresql': renderFile('/docs/operate/postgresql'),
  '/docs/operate/redis': renderFile('/docs/operate/redis'),
  '/docs/operate/backup': renderFile('/docs/operate/backup'),
  '/docs/operate/upgrade': renderFile('/docs/operate/upgrade'),
  '/docs/operate/secrets': renderFile('/docs/operate/secrets'),
  '/docs/operate/security': renderFile('/docs/operate/security'),
  '/docs/operate/sizing': renderFile('/docs/operate/sizing'),
  '/docs/operate/logs': renderFile('/docs/operate/logs'),
  '/docs/operate/metrics': renderFile('/docs/operate/metrics'),
  '/docs/operate/alerts': renderFile('/docs/operate/alerts'),
  '/docs/operate/traces': renderFile('/docs/operate/traces'),
  '/docs/operate/diagnostics': renderFile('/docs/operate/diagnostics'),
  '/docs/operate/incidents': renderFile('/docs/operate/incidents'),
  '/docs/operate/platforms': renderFile('/docs/operate/platforms'),
  'not-found': renderNotFound,
}

type Rendered = {
  html: string
  /** What the page is about, in a sentence; null if nobody should find it by searching. */
  description: string | null
}

export const renderDocument = (name: WholeDocument, reader: PageReader, assets: PageAssets): Rendered => {
  const context = { ...reader, name }
  const page = templates[name](context, assets)
  return { html: pageFrame(page, context, assets).html, description: page.description }
}
