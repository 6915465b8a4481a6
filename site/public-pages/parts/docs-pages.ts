import { apiPages, type DocsPage, guideDocuments, operateDocuments } from '../../../src/site-server/pages.ts'
import type { PageReader } from '../page-context.ts'

export type DocsLink = { path: DocsPage; title: string }

/** The pages of the documentation, in the order of the navigation. */
export const docsPages = ({ words }: Pick<PageReader, 'words'>): { title: string; pages: DocsLink[] }[] => {
  const { docs, guides, reference } = words
  return [
    {
      title: docs.groupStart,
      pages: [
        { path: '/docs', title: docs.quickstart },
        { path: '/docs/migration', title: guides.migration.title },
      ],
    },
    {
      title: docs.groupGuides,
      pages: [
        { path: '/docs/streaming', title: guides.streaming.title },
        { path: '/docs/tools', title: guides.tools.title },
        { path: '/docs/structured-output', title: guides.structuredOutput.title },
        { path: '/docs/reasoning', title: guides.reasoning.title },
        { path: '/docs/embeddings', title: guides.embeddings.title },
        { path: '/docs/agents', title: guides.agents.title },
        { path: '/docs/retries', title: words.retries.title },
        { path: '/docs/troubleshooting', title: guides.troubleshooting.title },
        ...guideDocuments.map((path) => ({ path, title: words.documents[path].title })),
      ],
    },
    {
      title: docs.api,
      pages: [
        { path: '/docs/api', title: reference.overview },
        ...apiPages.map((path) => ({ path, title: reference.groups[path].title })),
      ],
    },
    {
      title: docs.groupReference,
      pages: [
        { path: '/docs/errors', title: docs.errors },
        { path: '/docs/limits', title: words.limits.title },
        { path: '/docs/compatibility', title: docs.compatibility },
        { path: '/docs/changelog', title: docs.changelog },
      ],
    },
    {
      title: docs.groupOperate,
      pages: operateDocuments.map((path) => ({ path, title: words.documents[path].title })),
    },
  ]
}
