import { beforeEach, expect, it } from 'vitest'
import { draftOf, forgetAllDrafts, forgetDraft, keepDraft, keepOnlyDraftsOf } from './drafts.ts'

beforeEach(() => sessionStorage.clear())

it('gives a draft back to whom it belongs, until it is forgotten', () => {
  keepDraft('Support', '100001', { query: 'Why?' })
  expect(draftOf('Support', '100001')).toEqual({ query: 'Why?' })
  expect(draftOf('Support', '100002')).toBeNull()
  expect(draftOf('FundTransfer', '100001')).toBeNull()
  forgetDraft('Support')
  expect(draftOf('Support', '100001')).toBeNull()
})

it('keeps only the drafts of whoever signs in, and nothing else of the tab is touched', () => {
  keepDraft('Support', '100001', { query: 'Why?' })
  keepDraft('FundTransfer', '100002', { amount: '5' })
  sessionStorage.setItem('other', '1')
  expect(keepOnlyDraftsOf('100002')).toBe(true)
  expect(Object.keys(sessionStorage).sort()).toEqual(['bifolia.draft.FundTransfer', 'other'])
  expect(keepOnlyDraftsOf('100003')).toBe(false)
  expect(Object.keys(sessionStorage)).toEqual(['other'])
})

it.each(['', 'no JSON', 'null', '[]', '{"userId":"1"}', '{"userId":"1","values":{"a":1}}'])(
  'takes %j for no draft',
  (text) => {
    sessionStorage.setItem('bifolia.draft.Support', text)
    expect(draftOf('Support', '1')).toBeNull()
  },
)

it('keeps boxes besides texts, and all can be forgotten at once', () => {
  keepDraft('Support', '', { query: 'Why?', complaint: true })
  expect(draftOf('Support', '')).toEqual({ query: 'Why?', complaint: true })
  forgetAllDrafts()
  expect(draftOf('Support', '')).toBeNull()
})
