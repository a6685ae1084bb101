import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, dataOf, listOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { MemberList, MemberListQuery } from './memberLists.ts'

/** The members that match a search. */
export const membersOptions = (q: string) =>
  queryOptions({
    queryKey: ['members', q],
    queryFn: () =>
      listOf(operatorApi.GET('/api/operator/members', { params: { query: { q, size: 50 } } })),
  })

/** All members, newest first. */
export const newestOptions = (before: number) =>
  queryOptions({
    queryKey: ['members', 'newest', before],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answerOf(
        operatorApi.GET('/api/operator/members/newest', {
          params: { query: { before, size: 50 } },
        }),
      ),
  })

/** Other members who may be the same person. */
export const duplicatesOptions = (uid: string) =>
  queryOptions({
    queryKey: ['duplicates', uid],
    queryFn: () =>
      listOf(operatorApi.GET('/api/operator/member/duplicates', { params: { query: { uid } } })),
  })

/** The erasures that wait for a second operator. */
export const erasuresOptions = queryOptions({
  queryKey: ['erasures'],
  queryFn: () => listOf(operatorApi.GET('/api/operator/erasures')),
})

/** A page of the flags that were raised and lowered. */
export const flagsOptions = (uid: string, before: number) =>
  queryOptions({
    queryKey: ['flags', uid, before],
    queryFn: () =>
      answerOf(
        operatorApi.GET('/api/operator/member/flags', {
          params: { query: { uid, size: 20, ...(before && { before }) } },
        }),
      ),
  })

/** A page of the operators' notes. */
export const notesOptions = (uid: string, before: number) =>
  queryOptions({
    queryKey: ['notes', uid, before],
    queryFn: () =>
      answerOf(
        operatorApi.GET('/api/operator/member/notes', {
          params: { query: { uid, size: 20, ...(before && { before }) } },
        }),
      ),
  })

/** Holds on the member's data, and proposals to erase it. */
export const privacyOptions = (uid: string) =>
  queryOptions({
    queryKey: ['privacy', uid],
    queryFn: () =>
      dataOf(operatorApi.GET('/api/operator/member/privacy', { params: { query: { uid } } })),
  })

/** A page of the entries of one account of the ledger. */
export const entriesOptions = (uid: string, account: string, before: number) =>
  queryOptions({
    queryKey: ['entries', uid, account, before],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answerOf(
        operatorApi.GET('/api/operator/member/entries', {
          params: { query: { uid, account, size: 50, ...(before && { before }) } },
        }),
      ),
  })

/** A page of one of the member's lists. */
export const memberListOptions = <Row>(
  list: MemberList<Row>,
  uid: string,
  asked: Omit<MemberListQuery, 'uid'>,
) =>
  queryOptions({
    queryKey: ['member list', list.name, uid, asked],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { page, size } = asked
      return { ...(await list.call({ uid, ...asked })), page, size }
    },
  })
