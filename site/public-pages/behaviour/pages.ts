import { startCodeBlocks } from './code-blocks.ts'
import { startLanguageLinks } from './language-links.ts'
import { startThemeButtons } from './theme-buttons.ts'

/** The script of the landing page and the documentation. All of it is readable without. */
startCodeBlocks()
startLanguageLinks()
startThemeButtons()
if (document.body.dataset.docsIndex !== undefined) void import('./docs/docs.ts').then(({ startDocs }) => startDocs())
