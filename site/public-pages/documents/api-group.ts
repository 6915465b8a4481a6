import type { ApiPage } from '../../../src/site-server/pages.ts'
import { html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { apiGroups } from '../parts/api-groups.ts'
import { docsPage } from '../parts/docs-page.ts'
import { operationPlace } from '../parts/operation-place.ts'
import { operationSection } from '../parts/operation-section.ts'
import { yourKey } from '../parts/your-key.ts'

/** One group of endpoints: the fields of each beside its samples and a request to send. */
export const renderApiGroup =
  (page: ApiPage) =>
  (context: PageContext): Page => {
    const words = context.words.reference.groups[page]
    const operations = apiGroups().find((group) => group.page === page)?.operations ?? []
    return docsPage(context, {
      heading: words.title,
      description: words.description,
      lead: words.lead,
      leadRest: '',
      isReference: true,
      contents: operations.map((operation) => ({ id: operation.id, text: operationPlace(operation) })),
      body: html`${yourKey(context)}${operations.map((operation) => operationSection(operation, context))}`,
    })
  }
