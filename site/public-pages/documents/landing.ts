import { readFileSync } from 'node:fs'
import { ArrowRight } from 'lucide-react'
import { parseJsonText } from '../../../src/base/parse-json-text.ts'
import { originMark } from '../../../src/site-server/pages.ts'
import { html } from '../html.ts'
import type { PagePictures } from '../page-assets.ts'
import type { PageContext } from '../page-context.ts'
import type { Page } from '../page-frame.ts'
import { answerDrawing } from '../parts/answer-drawing.ts'
import { chatSamples } from '../parts/chat-samples.ts'
import { codeBlock } from '../parts/code-block.ts'
import { consolePicture } from '../parts/console-picture.ts'
import { footer } from '../parts/footer.ts'
import { header } from '../parts/header.ts'
import { icon } from '../parts/icon.ts'
import { timingDrawing } from '../parts/timing-drawing.ts'

export const renderLanding = (context: PageContext, pictures: PagePictures): Page => {
  const { landing } = context.words
  return {
    title: landing.title,
    description: landing.description,
    script: 'pages',
    body: html`${header(context)}
<main id="page" class="landing">
<section class="column hero">
<div><h1>${landing.head1}<br>${landing.head2}</h1><p>${landing.lead}</p>
<div class="actions"><a class="button primary big" href="/signup">${landing.getKey}</a><a class="button plain big" href="/docs">${landing.readDocs}${icon(ArrowRight, 16)}</a></div></div>
${codeBlock(context, [{ id: 'start', name: landing.start, code: startCode }], landing.start)}
</section>
${answerDrawing(landing.question, landing.tokens.split(' '), landing.strandLabel)}
<section class="column two-columns"><div><h2>${landing.clientTitle}</h2><p>${landing.clientText}</p><p><a href="/docs/compatibility">${landing.clientLink}</a></p></div>
${codeBlock(context, chatSamples(context), landing.clientTitle)}</section>
<section class="column timing"><div class="timing-head"><div><h2>${landing.timingTitle}</h2><p>${landing.timingText}</p></div>
<p class="legends"><span class="legend">${landing.timingReading}</span><span class="legend received">${landing.timingAnswering}</span></p></div>
${timingDrawing(context)}</section>
<section class="column console"><h2>${landing.consoleTitle}</h2><p>${landing.consoleText}</p>
${consolePicture(landing.consolePicture, context.language.code, pictures)}${consoleFacts(context)}</section>
<section class="column two-columns model"><div><h2>${landing.modelTitle}</h2><p>${landing.modelText}</p><p>${landing.modelSwap}</p></div>${modelFacts(context)}</section>
<section class="column promises"><h2 class="visually-hidden">${landing.promisesTitle}</h2>${promises(context)}</section>
</main>
${footer(context)}`,
  }
}

/** Commands are copied; their output is not. */
const startCode = html`<i data-not-copied>$ </i><b>npm ci</b>
<i data-not-copied>$ </i><b>npm start</b>
<span data-not-copied><i>Helix serves</i> <b>helix-v1</b> <i>at</i> <span class="own-value">${originMark}/v1</span></span>`

/** The figures come from the model's manifest, so that another model shows its own. */
const modelFacts = ({ language, words: { landing } }: PageContext) => {
  const path = new URL('../../../models/helix-v1/model.json', import.meta.url)
  const model = asManifest(parseJsonText(readFileSync(path, 'utf8')))
  const megabytes = Math.round(model.files.reduce((sum, file) => sum + file.bytes, 0) / 1e6)
  const rows = [
    [landing.modelFile, `${megabytes} MB`],
    [landing.modelContext, landing.modelContextValue(model.contextTokens.toLocaleString(language.locale))],
    [landing.modelLanguages, landing.modelLanguagesValue],
    [landing.modelRuns, landing.modelRunsValue],
  ]
  return html`<dl class="fact-rows">${rows.map(([name = '', value = '']) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

type Manifest = { contextTokens: number; files: readonly { bytes: number }[] }

/** True of the manifest that is in the repository. */
const asManifest = (value: unknown): Manifest => value as Manifest

const consoleFacts = ({ words: { landing } }: PageContext) => {
  const rows = [
    [landing.upstreams, landing.upstreamsText],
    [landing.teams, landing.teamsText],
    [landing.budgets, landing.budgetsText],
    [landing.agents, landing.agentsText],
  ]
  return html`<dl>${rows.map(([name = '', text = '']) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`
}

const promises = ({ words: { landing } }: PageContext) => {
  const rows = [
    [landing.promise1, landing.promise1Text],
    [landing.promise2, landing.promise2Text],
    [landing.promise3, landing.promise3Text],
    [landing.promise4, landing.promise4Text],
    [landing.promise5, landing.promise5Text],
    [landing.promise6, landing.promise6Text],
  ]
  return html`<dl>${rows.map(([name = '', text = '']) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`
}
