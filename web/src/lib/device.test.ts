import { expect, it } from 'vitest'
import { deviceOf } from './device.ts'
import { english } from './strings/index.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/120.0 Safari/537.36`,
    'Chrome on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/120.0 Safari/537.36 Edg/120.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/120.0 Safari/537.36`,
    'Chrome on Linux',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/120.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1 Version/17.0 Mobile/15E Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:120.0) Gecko/20100101 Firefox/120.0',
    'Firefox on Mac',
  ],
])('%s is %s', (agent, name) => {
  expect(deviceOf(agent, english.device)).toBe(name)
})

it('a program that is no browser keeps the name it gives itself', () => {
  expect(deviceOf('curl/8.5.0', english.device)).toBe('curl/8.5.0')
  expect(deviceOf('', english.device)).toBe('')
})
