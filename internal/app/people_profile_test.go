package app

func profileForm(uid int64, pin string) m {
	return m{
		"type": "profile", "uid": id(uid), "f_name": "Anna Alpha", "l_name": "Alphason", "father": "Adam Alpha", "counrtyid": "99",
		"email": "anna.alpha@mail.example", "mobile": "9876543210", "DOB": "1990-02-28", "gender": "Female", "address": "1 First Street",
		"aboutUser": "I am here", "NomineeName": "Abel Alpha", "nomineerelation": "Brother", "ctrans_password": pin,
		"profile_img": "", "Accountaddress": "",
	}
}

func bankForm(uid int64, pin string) m {
	return m{
		"type": "Bank", "uid": id(uid), "holder": "Anna Alpha", "accountnumber": "12345678901", "ifsc": "HDFC0000001", "bank_name": "HDFC",
		"branch": "Fort", "PAN": "ABCDE1234F", "AAdhar": "234123412346", "ctrans_password": pin,
	}
}
