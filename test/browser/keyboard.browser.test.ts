import type { Page } from 'playwright-core'
import { beforeAll, expect } from 'vitest'
import { claimServer } from '../harness/browser-session.ts'
import { openVisitor, test } from '../harness/open-visitor.ts'
import { openPage, pageSettled } from '../harness/site-pages.ts'
import type { Helix } from '../harness/start-helix.ts'
import { openSiteServer } from '../harness/start-site.ts'
import { goodPassword } from './fill-form.ts'
import { tabTo } from './tab-to.ts'

let helix: Helix
beforeAll(async () => {
  helix = await openSiteServer({ answer: () => ['Wet', ' earth', ' smells.'] })
  await claimServer(helix)
  return helix.close
})

const shownRoles =
  /^\s*- '?(heading|button|link|textbox|searchbox|combobox|slider|checkbox|group|region|article|table|img|columnheader)\b/

/** What a screen reader finds in the accessibility tree of a page, in order, with figures as `0`, and without values and times. */
const heard = async (page: Page): Promise<string[]> => {
  const tree = await page.locator('main').ariaSnapshot()
  return tree
    .split('\n')
    .filter((line) => shownRoles.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^- /, '')
        .replaceAll(/req_\w+/g, 'req')
        .replaceAll(/(?<!level=)\b\d+\b/g, '0'),
    )
    .map((line) =>
      line
        .replace(/^'(.*?)'(:.*)?$/, '$1')
        .replace(/(?<=^\w+ ".*?"( \[.*\])?):.*$/, '')
        .replace(/, the first .*"/, '"'),
    )
}

/** Some parts of a page come a moment after the others. */
const expectHeard = (page: Page, expected: string[]): Promise<void> => expect.poll(() => heard(page)).toEqual(expected)

/** By the palette: every page is two keys and its name away. */
const goTo = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Go to' })
  await palette.getByRole('combobox').waitFor()
  await page.keyboard.type(name)
  await palette.getByRole('option', { name, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  await pageSettled(page)
}

test('an account, a key, an answer and its usage need no mouse, and a screen reader finds everything by its name', async () => {
  const { page } = await openVisitor(helix.url)
  await page.goto('/signup')
  await tabTo(page, page.getByLabel('Email'))
  await expectHeard(page, [
    'heading "Create an account" [level=1]',
    'textbox "Email"',
    'textbox "Password"',
    'button "Show password"',
    'button "Sign up and get a key"',
  ])
  await page.keyboard.type('kim@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type(goodPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Copy key' }).waitFor()
  await expectHeard(page, [
    'heading "This is your key. It is shown once." [level=1]',
    'region "API key"',
    'button "Copy key"',
    'region "Call it from your code"',
    'heading "Call it from your code" [level=2]',
    'button "Copy: curl"',
    'region "See it answer"',
    'heading "See it answer" [level=2]',
    'button "Run it here"',
    'img "Timing of the answer: 0 tokens"',
  ])

  await openPage(page, '/keys')
  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Create key' }))
  await expectHeard(page, [
    ...['heading "Keys" [level=1]', 'button "Create key"', 'searchbox "Name or last four"', 'group "Filter keys"'],
    ...['button "All 0" [pressed]', 'button "Live 0"', 'combobox "Sort by"', 'table "API keys"'],
    ...['columnheader "Select all keys on this page"', 'checkbox "Select all keys on this page"'],
    ...['columnheader "Name"', 'columnheader "Key"', 'columnheader "Permissions"', 'columnheader "Key limits"'],
    ...['columnheader "Tokens this month"', 'columnheader "Last 0 days"', 'columnheader "Last used"'],
    ...['columnheader "Expires"', 'columnheader "State"', 'checkbox "Select First key"', 'link "First key"'],
    ...['img "0 tokens in the last 0 days"', 'region "Limits of kim"', 'heading "Limits of kim" [level=2]'],
    'link "See all limits"',
  ])
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, page.getByRole('dialog').getByLabel('Name', { exact: true }))
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Copy key' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await goTo(page, 'Playground')
  await tabTo(page, page.getByRole('textbox', { name: 'Message' }))
  await page.keyboard.type('Hi')
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Copy the answer' }), 'Shift+Tab')
  await expectHeard(page, [
    ...['heading "Playground" [level=1]', 'button "Clear"', 'button "History"', 'button "Prompts"', 'link "Compare"'],
    ...['button "View code"', 'region "Conversation"', 'heading "System" [level=2]', 'textbox "System"'],
    ...['article:', 'heading "You" [level=2]', 'button "Edit: your message"', 'button "Delete: your message"'],
    ...['article:', 'heading "helix-v1" [level=2]', 'img "0 tokens"', 'link "req"', 'button "Copy ID"'],
    ...['button "Copy the answer"', 'button "Show raw text"', 'button "Regenerate: the answer"'],
    ...['button "Edit: the answer"', 'button "Delete: the answer"', 'textbox "Message"', 'button "Attach"'],
    ...['button "Send" [disabled]', 'slider "Temperature"', 'slider "Top P"', 'textbox "Max tokens"'],
    ...['combobox "Response format"', 'button "Insert example"', 'button "Open editor: Tools"', 'textbox "Tools"'],
    ...['textbox "Stop sequences"', 'combobox "Probabilities of tokens"', 'textbox "Seed"'],
    ...['slider "Presence penalty"', 'slider "Frequency penalty"'],
  ])

  await goTo(page, 'Usage')
  await tabTo(page, page.getByRole('group', { name: /^Tokens by day/ }))
  await page.keyboard.press('End')
  await page.locator('.readout').getByText('Requests').first().waitFor()
  const chart =
    'Tokens by day Prompt tokens above the line, completion tokens below it. The table below has every figure.'
  await expectHeard(page, [
    ...['heading "Usage" [level=1]', 'link "CSV"', 'group "Period"', 'button "Today"', 'button "0 days"'],
    ...['button "0 days" [pressed]', 'button "0 days"', 'button "0 months"', 'group "Interval"', 'button "By hour"'],
    ...['button "By day" [pressed]', 'button "By month"', 'button "Total"', 'textbox "From"', 'textbox "To"'],
    ...['combobox "Split by"', 'combobox "Show"', 'checkbox "Compare with the previous period"'],
    'group "Tokens by day. Use the left and right arrow keys to move along the chart."',
    `img "${chart}"`,
    ...['region "Hours of the day"', 'heading "Hours of the day" [level=2]', 'table "Hours of the day"'],
    ...['columnheader "Day"', 'columnheader "From 0 to 0 o’clock"', 'columnheader "Completion"'],
    ...['columnheader "Busiest hour"', 'img "Tokens in 0 of 0 hours, most from 0:0 on: 0"'],
    ...['table "Usage, newest first"', 'columnheader "Day"', 'columnheader "Share"', 'columnheader "Prompt"'],
    ...['columnheader "Cached"', 'columnheader "Completion"', 'columnheader "Reasoning"', 'columnheader "Requests"'],
    ...['columnheader "Errors"', 'columnheader "Aborted"', 'columnheader "First token"', 'columnheader "Total time"'],
  ])
})
