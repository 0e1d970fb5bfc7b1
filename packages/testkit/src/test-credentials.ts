/** A self-signed certificate for localhost and 127.0.0.1, valid for a hundred years. Its key protects nothing. */
export const testCredentials: { readonly key: string; readonly cert: string } = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaVWkNOFK7vLiUjMr
tT3icgzQpo5jnbearIiA3w+tVFWhRANCAATKycwYpzRzvU2ue5RnFdMKs8PwXZpL
/LwLJ5h18b836HJWMh0O4CfGOoABqSibvNBlWeDCw3aOUg1Wcv//Jueh
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIURoHxyM3/aNBDnNTWpPjQpc6bOVgwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAzMjgwNloYDzIxMjYxMDI4
MDMyODA2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATKycwYpzRzvU2ue5RnFdMKs8PwXZpL/LwLJ5h18b836HJWMh0O4CfG
OoABqSibvNBlWeDCw3aOUg1Wcv//Jueho28wbTAdBgNVHQ4EFgQUb13KlIPwthkB
3OBlkqHhRRw61JEwHwYDVR0jBBgwFoAUb13KlIPwthkB3OBlkqHhRRw61JEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAN+AboZc0ow6Rk7r6adeTTkU5NUjuqagDS5sfiCKDacsAiEA
4O4ZLqbnq1+Uf1Ly+Or2TVbJwLrbn1GUABQVY8ylflA=
-----END CERTIFICATE-----
`,
}

/** What replaces {@link testCredentials} when their certificate is renewed: another key, and the same names. */
export const renewedCredentials: typeof testCredentials = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6bS3q5jsAz4w/dDM
WGXg1fW3cUSiII1WoJLN6AG4a4KhRANCAASjXz3w1YOSt9Akf9qXFTTSkGrfR0BG
hQH09Ljl8jXqSUbx8eUtZZQY6gKdNF6UK2aMTu/HDgvGzVgRQNl7eKVs
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUeQGZpT8T/JQ9tgy4xjjmDIkH9zIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjE0NTU0MVoYDzIxMjYxMTAy
MTQ1NTQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASjXz3w1YOSt9Akf9qXFTTSkGrfR0BGhQH09Ljl8jXqSUbx8eUtZZQY
6gKdNF6UK2aMTu/HDgvGzVgRQNl7eKVso28wbTAdBgNVHQ4EFgQU6pBP7awlvq+k
U/B+Tw/90Vvhls8wHwYDVR0jBBgwFoAU6pBP7awlvq+kU/B+Tw/90Vvhls8wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALOFVn+dVZ/smV6uqD3D0epFw5yA5ZgnWh+2ABZZkSpsAiBB
YuhH/RoLAdtFNP3WMgha3rDsBc14GNtfJ4hcuUe/rw==
-----END CERTIFICATE-----
`,
}
