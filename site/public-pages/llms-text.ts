import { type DocsPage, originMark } from '../../src/site-server/pages.ts'
import type { PageReader } from './page-context.ts'
import { docsPages } from './parts/docs-pages.ts'

/** `/llms.txt`: every page of the documentation as Markdown, with what it is about, for programs that read it. */
export const renderLlmsText = (reader: PageReader, describe: (page: DocsPage) => string): string => {
  const { docs, landing } = reader.words
  const groups = docsPages(reader).map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${originMark}${page.path}.md): ${describe(page.path)}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Helix\n\n> ${landing.description}\n\n${docs.llmsText(`${originMark}/v1`, `${originMark}/v1/openapi.json`)}\n\n${groups.join('\n')}`
}
