/** Members for tests, made with the API calls of the screens. */

export interface Session {
  isAuth: true
  userId: string
  username: string
  jwtToken: string
  ipAddress: string
}

interface Credentials {
  id: string
  password: string
}

export async function post<Answer>(url: string, body: object, token = ''): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: token }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

export async function openSession(url: string, { id, password }: Credentials): Promise<Session> {
  const { data, token } = await post<{
    data: { result: string; resultusername?: string }
    token?: string
  }>(`${url}/api/login`, { uid: id, password, ipaddress: '127.0.0.1' })
  if (!token) throw new Error(`Could not sign in as ${id}: ${data.result}`)
  return {
    isAuth: true,
    userId: id,
    username: data.resultusername ?? '',
    jwtToken: token,
    ipAddress: '127.0.0.1',
  }
}

let registered = 0

/** Registers a member below a sponsor and returns the new user id. */
export async function register(
  url: string,
  sponsor: string,
  position: 'Left' | 'Right',
  name: string,
): Promise<Credentials & { email: string }> {
  registered += 1
  const password = 'leaf-and-stem'
  const email = `person${Date.now()}x${registered}@demo.example`
  const { data } = await post<{ data: { result: string; uid_output?: string } }>(
    `${url}/api/registration`,
    {
      sid: sponsor,
      name,
      position: position === 'Left' ? 1 : 2,
      email,
      password,
      mobile: '9876543210',
      countryid: 99,
    },
  )
  if (!data.uid_output) throw new Error(`Could not register ${name}: ${data.result}`)
  return { id: data.uid_output, password, email }
}
